import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'undici'
import { createAuthority, replaceFile } from '../../support/certificates.ts'
import { atEnd } from '../../support/cleanup.ts'
import { type EngineCertificates, makeCertificates, writePair } from '../../support/engine-certificates.ts'
import { describeOn, kafkaLibs, mongodProgram } from '../../support/engines.ts'
import { linesWith } from '../../support/lines-with.ts'
import { askHealth } from '../../support/plain-grpc.ts'
import { MINT, type SecuredKafka, startSecuredKafka } from '../../support/secured-kafka.ts'
import { type SecuredMongod, startSecuredMongod } from '../../support/secured-mongod.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { startSteadyLoad } from '../../support/steady-load.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

/** The documented limit for new credentials to take effect, in milliseconds. */
const MAX_DELAY = 60_000

describeOn(kafkaLibs(), 'Credentials of Kafka and MongoDB', (libs) => {
  describeOn(mongodProgram(), 'in processes under load', (program) => {
    const folder = temporaryFolder()
    const file = (name: string): string => `${folder.path}/${name}`
    let certificates: EngineCertificates
    let mongo: SecuredMongod
    let kafka: SecuredKafka

    before(async function () {
      this.timeout(120_000)
      certificates = makeCertificates(folder.path)
      ;[mongo, kafka] = await Promise.all([
        startSecuredMongod(program, folder.path, certificates, { needsCertificate: true }),
        startSecuredKafka(libs, folder.path, certificates, ['t']),
      ])
    })
    after(async () => {
      await Promise.all([mongo?.stop(), kafka?.stop()])
      folder.remove()
    })

    const write = (name: string, text: string): void => {
      writeFileSync(file(`${name}.new`), text)
      replaceFile(file(name), file(`${name}.new`))
    }

    it('can be rotated without a restart and without a failed call: CA, certificates, Kafka’s password and MongoDB’s user', async () => {
      const mint = await newSeparateMint(mongo.adminUrl, kafka.sasl, { ownEngines: true })
      const databases = ['businesses', 'contracts', 'gateway'].map((part) => `${mint.namespace}_${part}`)
      const setUrl = (name: string, password: string) => write('mongo-url', `${mongo.url({ name, password })}\n`)
      await mongo.setUser('mint', 'first', databases)
      setUrl('mint', 'first')
      write('kafka-password', `${MINT.password}\n`)
      const clientCert = file('client.crt')
      const clientKey = file('client.key')
      replaceFile(clientCert, certificates.clientFiles.cert)
      replaceFile(clientKey, certificates.clientFiles.key)
      const environment = {
        MONGO_URL: '',
        MONGO_URL_FILE: file('mongo-url'),
        KAFKA_SECURITY_PROTOCOL: 'SASL_SSL',
        KAFKA_SASL_USERNAME: MINT.username,
        KAFKA_SASL_PASSWORD_FILE: file('kafka-password'),
        KAFKA_SSL_CA_FILE: certificates.ca,
        KAFKA_SSL_CERT_FILE: clientCert,
        KAFKA_SSL_KEY_FILE: clientKey,
      }
      const { contracts, businesses, gateway } = await mint.startAll(environment)
      const services = [contracts, businesses]
      const processes = [...services, gateway]

      const dispatcher = atEnd.close(new Agent())
      const load = startSteadyLoad({ url: `http://${await gateway.ready()}`, dispatcher }, mint.key, randomUUID())
      /** Returns how many milliseconds it takes until every process uses the changed files. */
      async function inUse(uses: readonly ('mongo' | 'kafka')[], change: () => Promise<void>): Promise<number> {
        const count = (log: string, use: string) =>
          linesWith(log, 'are in use').filter((line) => line.includes(`"use":"${use}"`)).length
        const wanted = uses.flatMap((use) =>
          (use === 'mongo' ? processes : services).map((one) => ({ one, use, before: count(one.log(), use) })),
        )
        await change()
        const begun = Date.now()
        const isInUse = () => wanted.every(({ one, use, before }) => count(one.log(), use) > before)
        await waitFor(isInUse, { timeout: MAX_DELAY, what: 'new files to be in use', every: 50 })
        return Date.now() - begun
      }
      const reload = async () => void (await Promise.all([mongo.rotateCertificates(), kafka.reloadCertificates()]))
      const second = createAuthority(folder.path, 'second-ca')
      const took: Record<string, number> = {}

      took['both CAs'] = await inUse(['mongo', 'kafka'], async () => {
        replaceFile(file('both.pem'), certificates.ca)
        appendFileSync(file('both.pem'), readFileSync(second.cert))
        replaceFile(certificates.ca, file('both.pem'))
      })
      await reload()
      writePair(certificates.server, second.issue('server'))
      await reload()
      const issued = second.issue('mint')
      took['client certificate'] = await inUse(['mongo', 'kafka'], async () => {
        writePair(certificates.client, issued)
        replaceFile(clientCert, issued.cert)
        replaceFile(clientKey, issued.key)
      })
      took['the new CA alone'] = await inUse(['mongo', 'kafka'], async () => replaceFile(certificates.ca, second.cert))
      await reload()
      took['Kafka’s password'] = await inUse(['kafka'], async () => {
        await kafka.setPassword(MINT.username, 'second')
        write('kafka-password', 'second')
      })
      // A MongoDB user has only one password, so a new password comes with a new user.
      await mongo.setUser('mint-2', 'third', databases)
      const changedAt = Date.now()
      setUrl('mint-2', 'third')
      const usesSecond = async () => (await mongo.databasesUsedBy('mint-2')).join() === databases.join()
      await waitFor(usesSecond, { timeout: MAX_DELAY, what: 'the second user to be in use', every: 250 })
      took['MongoDB’s user'] = Date.now() - changedAt
      const answer = async (count: number) => {
        const before = load.answered()
        await waitFor(() => load.answered() > before + count, { what: `${count} more answers` })
      }
      // By then, no request of the first user is pending.
      await answer(50)
      await mongo.dropUser('mint')
      await answer(100)
      const { sent, slowest } = await load.finish()
      console.log(`      in use after ${JSON.stringify(took)} ms; ${sent} calls, the slowest ${slowest} ms`)
      assert.deepEqual(load.failures, [])
      // Each check opens a new connection, for which only the second CA, client certificate and password are valid now.
      for (const address of [mint.contractsAddress, mint.businessesAddress])
        await waitFor(async () => (await askHealth(address, 'kafka')) === 'SERVING', { what: `Kafka at ${address}` })
      const logs = processes.map((one) => one.log()).join('')
      assert.deepEqual(/first|s3cret|:second@|:third@|mint-of-tests/.exec(logs.replaceAll('first-ca', '')), null)
    }).timeout(300_000)
  })
})
