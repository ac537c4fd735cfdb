import { tlsProblem } from '../tls/tls-problem.ts'

/** The error message when a broker closed the connection without answering. */
export const NO_ANSWER = 'the broker closed the connection at once'

const SETTINGS = {
  ca: 'KAFKA_SSL_CA_FILE',
  address: 'KAFKA_BROKERS',
  certificate: 'KAFKA_SSL_CERT_FILE',
  tls: 'KAFKA_SECURITY_PROTOCOL',
}

/** Error types of the brokers and the driver, with what to do. */
const PROBLEMS: readonly (readonly [type: string, what: string])[] = [
  ['KafkaJSSASLAuthenticationError', 'it refuses the user; check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD'],
  ['UNSUPPORTED_SASL_MECHANISM', 'it does not support the mechanism; check KAFKA_SASL_MECHANISM'],
  ['ILLEGAL_SASL_STATE', 'it expects no user here; check KAFKA_SECURITY_PROTOCOL and the port in KAFKA_BROKERS'],
  ['TOPIC_AUTHORIZATION_FAILED', 'the user in KAFKA_SASL_USERNAME lacks rights to the topic'],
  ['GROUP_AUTHORIZATION_FAILED', 'the user in KAFKA_SASL_USERNAME lacks rights to the consumer group'],
]

/** Which setting to fix, in words; undefined when Kafka is merely unavailable. */
export function kafkaProblem(error: Error): string | undefined {
  if (error.message === NO_ANSWER) return `${NO_ANSWER}; check KAFKA_SECURITY_PROTOCOL and the port in KAFKA_BROKERS`
  return PROBLEMS.find(([type]) => hasType(error, type))?.[1] ?? tlsProblem(error, SETTINGS)
}

class KafkaRefusal extends Error {}

/** The same error, or one whose message begins with the setting to fix. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof KafkaRefusal) return error
  const problem = kafkaProblem(error)
  return problem === undefined ? error : new KafkaRefusal(`Kafka: ${problem}`, { cause: error })
}

/** The brokers' error when a topic doesn't exist, or was just created and isn't known to all brokers yet. */
export const UNKNOWN_TOPIC = 'UNKNOWN_TOPIC_OR_PARTITION'

/** Whether an error of the driver, or one that it wraps, has this type or name. */
export function hasType(error: unknown, type: string): boolean {
  if (!(error instanceof Error)) return false
  const { type: own, errors = [] } = error as { readonly type?: string; readonly errors?: readonly unknown[] }
  return own === type || error.name === type || [error.cause, ...errors].some((wrapped) => hasType(wrapped, type))
}
