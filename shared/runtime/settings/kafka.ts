import { z } from 'zod'
import { choice, isHostAndPort, listOf, SECRET, type SecretFiles, SettingsError, wholeNumber } from './read-settings.ts'

const optionalFile = z.string().optional().meta({ allowed: 'a PEM file that Mint may read' })

/** The settings for connecting to Kafka. */
export const kafkaSettings = {
  // The driver takes no IPv6 addresses here, only names of hosts that have one.
  KAFKA_BROKERS: listOf(
    (broker) => isHostAndPort(broker) && !broker.startsWith('['),
    'Kafka brokers (host:port, by name or IPv4 address)',
    { min: 1 },
  ),
  KAFKA_PARTITIONS: wholeNumber({ min: 1, max: 1_000, standard: 6 }),
  KAFKA_REPLICATION: wholeNumber({ min: 1, max: 100, standard: 1 }),
  KAFKA_SECURITY_PROTOCOL: choice(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'], 'PLAINTEXT'),
  KAFKA_SASL_MECHANISM: choice(['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'], 'SCRAM-SHA-512'),
  KAFKA_SASL_USERNAME: z.string().optional().meta({ allowed: 'a user of Kafka' }),
  KAFKA_SASL_PASSWORD: z
    .string()
    .min(1)
    .optional()
    .meta({ ...SECRET, allowed: 'the password of KAFKA_SASL_USERNAME' }),
  KAFKA_SSL_CA_FILE: optionalFile,
  KAFKA_SSL_CERT_FILE: optionalFile,
  KAFKA_SSL_KEY_FILE: optionalFile,
}

type KafkaSettings = z.output<z.ZodObject<Omit<typeof kafkaSettings, 'KAFKA_BROKERS'>>> & {
  readonly files: SecretFiles
}

export type KafkaSecurityConfig = ReturnType<typeof securityOf>

/** Kafka's settings except its address. Throws SettingsError when they are inconsistent. */
export function toKafkaConfig(settings: KafkaSettings) {
  checkConsistency(settings)
  return {
    partitions: settings.KAFKA_PARTITIONS,
    replication: settings.KAFKA_REPLICATION,
    security: securityOf(settings),
  }
}

const OF_SASL = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'] as const
const OF_PAIR = ['KAFKA_SSL_CERT_FILE', 'KAFKA_SSL_KEY_FILE'] as const

function checkConsistency(settings: KafkaSettings): void {
  const { KAFKA_SECURITY_PROTOCOL: protocol } = settings
  const isSet = (name: keyof KafkaSettings): boolean => settings[name] !== undefined
  const missing = protocol.startsWith('SASL') ? OF_SASL.filter((name) => !isSet(name)) : []
  // Refused, because whoever sets them expects the security that they would provide.
  const unused = [
    ...(protocol.startsWith('SASL') ? [] : OF_SASL),
    ...(protocol.endsWith('SSL') ? [] : (['KAFKA_SSL_CA_FILE', ...OF_PAIR] as const)),
  ].filter(isSet)
  const [half, ...whole] = OF_PAIR.filter(isSet)
  const lines = [
    ...missing.map((name) => `${name} is not set; needed with KAFKA_SECURITY_PROTOCOL=${protocol}`),
    ...unused.map((name) => `${name} can't be used with KAFKA_SECURITY_PROTOCOL=${protocol}; set the protocol, too`),
    ...(half && whole.length === 0 ? [`${half} needs its counterpart; set both ${OF_PAIR.join(' and ')}`] : []),
  ]
  if (lines.length > 0) throw new SettingsError(lines)
}

function securityOf(settings: KafkaSettings) {
  const { KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password, files } = settings
  const { KAFKA_SSL_CA_FILE, KAFKA_SSL_CERT_FILE, KAFKA_SSL_KEY_FILE } = settings
  const named = {
    KAFKA_SSL_CA_FILE,
    KAFKA_SSL_CERT_FILE,
    KAFKA_SSL_KEY_FILE,
    KAFKA_SASL_PASSWORD_FILE: files.KAFKA_SASL_PASSWORD_FILE,
  }
  return {
    usesTls: settings.KAFKA_SECURITY_PROTOCOL.endsWith('SSL'),
    // Both are set, or neither.
    sasl: username && password ? { mechanism: settings.KAFKA_SASL_MECHANISM, username, password } : undefined,
    /** Paths by setting; their contents may change. */
    files: Object.fromEntries(Object.entries(named).filter(([, path]) => path !== undefined)) as Record<string, string>,
  }
}
