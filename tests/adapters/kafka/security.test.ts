import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { KafkaSecurity } from '../../../shared/adapters/kafka/security.ts'
import { createKafkaTopic } from '../../../shared/adapters/kafka/topic.ts'
import { createAuthority } from '../../support/certificates.ts'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { makeCertificates } from '../../support/engine-certificates.ts'
import { describeOn, kafkaEngine, kafkaLibs } from '../../support/engines.ts'
import { MINT, type SecuredKafka, startSecuredKafka } from '../../support/secured-kafka.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'
import { firstSeen, message, receivedBy } from '../ports/topic-fixtures.ts'

describeOn(kafkaLibs(), 'Kafka with TLS and users', (libs) => {
  const folder = temporaryFolder()
  let broker: SecuredKafka
  let ca: Buffer
  let client: { cert: Buffer; key: Buffer }
  let strangers: { ca: Buffer; cert: Buffer; key: Buffer }

  before(async function () {
    this.timeout(90_000)
    const certificates = makeCertificates(folder.path, 'DNS:localhost')
    const read = (pair: { cert: string; key: string }) => ({
      cert: readFileSync(pair.cert),
      key: readFileSync(pair.key),
    })
    ca = readFileSync(certificates.ca)
    client = read(certificates.clientFiles)
    const authority = createAuthority(folder.path, 'stranger-ca')
    strangers = { ca: readFileSync(authority.cert), ...read(authority.issue('stranger')) }
    broker = await startSecuredKafka(libs, folder.path, certificates, ['mint.'])
  })
  after(async () => {
    await broker?.stop()
    folder.remove()
  })

  const user = (mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512', password = MINT.password) => ({
    mechanism,
    username: MINT.username,
    password,
  })

  function open(address: string, security: KafkaSecurity, topic = 'mint.any') {
    const { logger, lines } = collectingLogger()
    const settings = { topic, groupId: `${topic}.group`, partitions: 1, replication: 1, logger }
    const opened = atEnd.close(createKafkaTopic({ brokers: [address], security: () => security, ...settings }))
    return { opened, lines }
  }

  const ways: Record<string, () => [address: string, security: KafkaSecurity]> = {
    'SCRAM-SHA-512 over TLS': () => [broker.sasl, { tls: { ca }, sasl: user('SCRAM-SHA-512') }],
    'SCRAM-SHA-256 over TLS': () => [broker.sasl, { tls: { ca }, sasl: user('SCRAM-SHA-256') }],
    'PLAIN over TLS': () => [broker.sasl, { tls: { ca }, sasl: user('PLAIN') }],
    'SCRAM-SHA-512 without TLS': () => [broker.saslPlaintext, { tls: undefined, sasl: user('SCRAM-SHA-512') }],
    'a client certificate': () => [broker.certificate, { tls: { ca, ...client }, sasl: undefined }],
  }
  for (const [name, way] of Object.entries(ways)) {
    it(`publishes and delivers messages with ${name} and rights to Mint’s own topics only`, async () => {
      const { opened } = open(...way(), `mint.${name.replaceAll(' ', '-')}`)
      const published = [message('a', 1), message('a', 2)]
      await opened.publisher.publish(published)
      const received = await receivedBy(opened)
      await waitFor(() => received.length >= 2, { what: 'both messages' })
      assert.deepEqual(firstSeen(received), firstSeen(published))
      assert.equal(await waitFor(async () => (await opened.consumerLag()) === 0), true)
      assert.deepEqual(await opened.findProblems(), [])
    })
  }

  it('reports the right it lacks to check the settings of a topic', async () => {
    const { opened } = open(broker.saslPlaintext, { tls: undefined, sasl: user('PLAIN') }, 'elsewhere')
    const problems = await waitFor(opened.findProblems, { what: 'an answer' })
    assert.deepEqual(problems, ['its settings can’t be read, needed: the right to DescribeConfigs'])
  })

  const USER = 'Kafka: it refuses the user; check KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD'
  const CLOSED =
    'waiting for Kafka: the broker closed the connection at once; check KAFKA_SECURITY_PROTOCOL and the port in KAFKA_BROKERS'
  const CERTIFICATE = 'waiting for Kafka: it needs a client certificate that it trusts; set KAFKA_SSL_CERT_FILE'
  const refusals: Record<string, () => [address: string, security: KafkaSecurity, line: string]> = {
    'a wrong password': () => [broker.sasl, { tls: { ca }, sasl: user('SCRAM-SHA-512', 'wr0ng') }, USER],
    'a wrong password with PLAIN': () => [broker.sasl, { tls: { ca }, sasl: user('PLAIN', 'wr0ng') }, USER],
    'the wrong CA': () => [
      broker.sasl,
      { tls: { ca: strangers.ca }, sasl: user('PLAIN') },
      'waiting for Kafka: its certificate is not signed by the CA in KAFKA_SSL_CA_FILE',
    ],
    'a certificate for another host name': () => [
      broker.sasl.replace('localhost', '127.0.0.1'),
      { tls: { ca }, sasl: user('PLAIN') },
      'waiting for Kafka: its certificate does not match KAFKA_BROKERS',
    ],
    'no client certificate': () => [broker.certificate, { tls: { ca }, sasl: undefined }, CERTIFICATE],
    'a client certificate of an unknown CA': () => [
      broker.certificate,
      { tls: { ...strangers, ca }, sasl: undefined },
      CERTIFICATE,
    ],
    'no TLS where it is required': () => [broker.sasl, { tls: undefined, sasl: user('PLAIN') }, CLOSED],
    'no user where one is required': () => [broker.saslPlaintext, { tls: undefined, sasl: undefined }, CLOSED],
    'TLS where it is not supported': () => [broker.saslPlaintext, { tls: { ca }, sasl: user('PLAIN') }, CLOSED],
    'a user without rights to the topic': () => [
      broker.sasl,
      { tls: { ca }, sasl: user('PLAIN') },
      'Kafka: the user in KAFKA_SASL_USERNAME lacks rights to the topic',
    ],
  }
  it(`is logged as unusable in one line that names the setting, given ${Object.keys(refusals).join(', ')}`, async () => {
    const checked = Object.entries(refusals).map(async ([name, refusal]) => {
      const [address, security, line] = refusal()
      const { opened, lines } = open(address, security, line.includes('rights') ? 'others.topic' : undefined)
      const logged = () =>
        lines.map(({ msg, err }) => (String(msg).startsWith('waiting') ? msg : (err as { message: string }).message))
      void opened.consumer.run(async () => undefined)
      await waitFor(() => logged().length > 0, { what: `a line: ${line}` })
      await assert.rejects(opened.check(), name)
      assert.ok(String(logged()[0]).startsWith(line), `${name}: ${logged()[0]}`)
      // The log counts outages itself; a line about waiting is written once.
      assert.ok(logged().filter((one) => String(one).startsWith('waiting')).length <= 1, name)
      assert.ok(!JSON.stringify(lines).includes('wr0ng'), name)
    })
    await Promise.all(checked)
  })
})

describeOn(kafkaEngine(), 'Kafka without users', (brokers) => {
  it('is logged as unusable in one line that names the protocol, given a user', async () => {
    const { logger, lines } = collectingLogger()
    const sasl = { mechanism: 'PLAIN', username: 'mint', password: 'any' } as const
    const security = () => ({ tls: undefined, sasl })
    const settings = { topic: 'any', partitions: 1, replication: 1, logger }
    const topic = atEnd.close(createKafkaTopic({ brokers: brokers.split(','), security, ...settings }))
    void topic.consumer.run(async () => undefined)
    await waitFor(() => lines.length > 0, { what: 'a line' })
    assert.match(JSON.stringify(lines[0]), /check KAFKA_SECURITY_PROTOCOL and the port in KAFKA_BROKERS/)
  })
})
