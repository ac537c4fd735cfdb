import assert from 'node:assert/strict'
import { assertNone } from '../../support/assert-none.ts'
import { breakableProxy } from '../../support/breakable-proxy.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { logLines } from '../../support/log-lines.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { askHealth } from '../../support/plain-grpc.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(bothEngines(), 'Services whose engines start after them', (mongoUrl) => {
  it('log what they wait for, become ready once MongoDB is up, and need Kafka only for Clients', async () => {
    const [mongoPort, kafkaPort] = [await freePort(), await freePort()]
    const mint = await newSeparateMint(mongoUrl)
    const { host: mongo } = new URL(mongoUrl)
    const engines = {
      MONGO_URL: mongoUrl.replace(mongo, `127.0.0.1:${mongoPort}`),
      KAFKA_BROKERS: `127.0.0.1:${kafkaPort}`,
    }
    const services = [mint.start('contracts', engines), mint.start('businesses', engines)]
    const { contractsAddress, businessesAddress } = mint
    const health = async (name: string) =>
      await Promise.all([contractsAddress, businessesAddress].map((address) => askHealth(address, name)))

    await Promise.all(services.map((service) => waitForLine(service, 'waiting for MongoDB')))
    assert.deepEqual(await health(''), ['NOT_SERVING', 'NOT_SERVING'])
    const call = await mint.callerOf(mint.start('gateway'))
    assert.equal((await call('GET', '/businesses')).status, 503)
    assert.equal((await call('GET', '/readyz')).status, 503)

    atEnd.close(await breakableProxy(mongo, mongoPort))
    await Promise.all(services.map((service) => service.ready()))
    assert.deepEqual(await health(''), ['SERVING', 'SERVING'])
    await Promise.all(services.map((service) => waitForLine(service, 'waiting for Kafka')))
    assert.deepEqual(await health('kafka'), ['NOT_SERVING', 'NOT_SERVING'])
    const { status } = await call('POST', '/businesses', { legalName: 'École du Nord' })
    assert.equal(status, 201)
    await waitFor(async () => (await call('GET', '/readyz')).status === 200, { what: 'the gateway to be ready' })

    atEnd.close(await breakableProxy(process.env.KAFKA_BROKERS ?? '', kafkaPort))
    await waitFor(async () => (await call('GET', '/clients')).body.total === 1, { what: 'the Client' })
    await waitFor(async () => (await health('kafka')).every((status) => status === 'SERVING'), {
      what: 'Kafka’s health',
    })
    for (const service of services) assertNone(logLines(service.log()).filter((line) => line.level > 40))
  })
})

const waitForLine = (part: PartProcess, message: string) =>
  waitFor(() => logLines(part.log()).some(({ msg }) => msg === message), {
    what: `the line "${message}"`,
  })
