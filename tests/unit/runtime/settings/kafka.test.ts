import assert from 'node:assert/strict'
import { kafkaSettings, toKafkaConfig } from '../../../../shared/runtime/settings/kafka.ts'
import { readSettings } from '../../../../shared/runtime/settings/read-settings.ts'

const USER = { KAFKA_SASL_USERNAME: 'mint', KAFKA_SASL_PASSWORD: 's3cret' }
const PAIR = { KAFKA_SSL_CERT_FILE: '/cert', KAFKA_SSL_KEY_FILE: '/key' }

const read = (environment: Record<string, string>) =>
  toKafkaConfig(readSettings(kafkaSettings, { KAFKA_BROKERS: 'kafka:9092', ...environment })).security

const linesOf = (environment: Record<string, string>): readonly string[] => {
  try {
    read(environment)
    return []
  } catch (error) {
    return (error as { lines: readonly string[] }).lines
  }
}

describe('The addresses of Kafka', () => {
  it('are separated by commas, with spaces or not', () => {
    const { KAFKA_BROKERS } = readSettings(kafkaSettings, { KAFKA_BROKERS: 'kafka-0:9092, 10.0.0.1:9092,' })
    assert.deepEqual(KAFKA_BROKERS, ['kafka-0:9092', '10.0.0.1:9092'])
  })

  // The driver retries them for ever, without a word.
  for (const broker of ['PLAINTEXT://kafka:9092', 'kafka', 'kafka:65536', '[::1]:9092', ',']) {
    it(`don’t include ${broker}`, () => {
      assert.throws(() => readSettings(kafkaSettings, { KAFKA_BROKERS: broker }), /^SettingsError: KAFKA_BROKERS=/)
    })
  }
})

describe('The security settings of Kafka', () => {
  it('are off by default, and otherwise what the protocol needs', () => {
    assert.deepEqual(read({}), { usesTls: false, sasl: undefined, files: {} })
    const tls = { KAFKA_SSL_CA_FILE: '/ca', ...PAIR }
    assert.deepEqual(read({ KAFKA_SECURITY_PROTOCOL: 'SSL', ...tls }), { usesTls: true, sasl: undefined, files: tls })
    const sasl = { mechanism: 'PLAIN', username: 'mint', password: 's3cret' }
    assert.deepEqual(read({ KAFKA_SECURITY_PROTOCOL: 'SASL_SSL', KAFKA_SASL_MECHANISM: 'PLAIN', ...USER }), {
      usesTls: true,
      sasl,
      files: {},
    })
  })

  it('are refused, with a line for each, if they don’t fit together', () => {
    assert.deepEqual(linesOf({ KAFKA_SECURITY_PROTOCOL: 'SASL_SSL' }), [
      'KAFKA_SASL_USERNAME is not set; needed with KAFKA_SECURITY_PROTOCOL=SASL_SSL',
      'KAFKA_SASL_PASSWORD is not set; needed with KAFKA_SECURITY_PROTOCOL=SASL_SSL',
    ])
    assert.deepEqual(linesOf({ ...USER, KAFKA_SSL_CA_FILE: '/ca' }), [
      "KAFKA_SASL_USERNAME can't be used with KAFKA_SECURITY_PROTOCOL=PLAINTEXT; set the protocol, too",
      "KAFKA_SASL_PASSWORD can't be used with KAFKA_SECURITY_PROTOCOL=PLAINTEXT; set the protocol, too",
      "KAFKA_SSL_CA_FILE can't be used with KAFKA_SECURITY_PROTOCOL=PLAINTEXT; set the protocol, too",
    ])
    assert.deepEqual(linesOf({ KAFKA_SECURITY_PROTOCOL: 'SSL', KAFKA_SSL_KEY_FILE: '/key' }), [
      'KAFKA_SSL_KEY_FILE needs its counterpart; set both KAFKA_SSL_CERT_FILE and KAFKA_SSL_KEY_FILE',
    ])
    assert.deepEqual(linesOf({ KAFKA_SECURITY_PROTOCOL: 'TLS' }), [
      "KAFKA_SECURITY_PROTOCOL=TLS can't be used; allowed: PLAINTEXT, SSL, SASL_PLAINTEXT, SASL_SSL",
    ])
  })
})
