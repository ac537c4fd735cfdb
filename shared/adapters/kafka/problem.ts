import { tlsProblem } from '../tls/tls-problem.ts'
import { hasType } from './error-type.ts'

/** The message of an error where the broker closed a connection before it answered what was asked. */
export const NO_ANSWER = 'the broker closed the connection at once'

const SETTINGS = {
  ca: 'KAFKA_SSL_CA_FILE',
  address: 'KAFKA_BROKERS',
  certificate: 'KAFKA_SSL_CERT_FILE',
  tls: 'KAFKA_SECURITY_PROTOCOL',
}

/** What the brokers and the driver call it, and what there is to do. */
const PROBLEMS: readonly (readonly [type: string, what: string])[] = [
  ['KafkaJSSASLAuthenticationError', 'it refuses the user; check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD'],
  ['UNSUPPORTED_SASL_MECHANISM', 'it does not take the mechanism; check KAFKA_SASL_MECHANISM'],
  ['ILLEGAL_SASL_STATE', 'it takes no users here; check KAFKA_SECURITY_PROTOCOL and the port in KAFKA_BROKERS'],
  ['TOPIC_AUTHORIZATION_FAILED', 'the user in KAFKA_SASL_USERNAME lacks rights to the topic'],
  ['GROUP_AUTHORIZATION_FAILED', 'the user in KAFKA_SASL_USERNAME lacks rights to the consumer group'],
]

/** Which setting to mend, in words; undefined where Kafka is only away. */
export function kafkaProblem(error: Error): string | undefined {
  if (error.message === NO_ANSWER) return `${NO_ANSWER}; check KAFKA_SECURITY_PROTOCOL and the port in KAFKA_BROKERS`
  return PROBLEMS.find(([type]) => hasType(error, type))?.[1] ?? tlsProblem(error, SETTINGS)
}

class KafkaRefusal extends Error {}

/** The same error, or one that says in front of it which setting to mend. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof KafkaRefusal) return error
  const problem = kafkaProblem(error)
  return problem === undefined ? error : new KafkaRefusal(`Kafka: ${problem}`, { cause: error })
}
