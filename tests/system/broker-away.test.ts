import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { cleanup } from '../support/cleanup.ts'
import { describeOn, type Engine, kafkaControl, mongoEngine } from '../support/engines.ts'
import { separateMint } from '../support/separate-processes.ts'
import { waitFor } from '../support/wait-for.ts'

const run = promisify(execFile)
const BUSINESSES = 150
const mongo = mongoEngine()
const engines: Engine = 'missing' in mongo ? mongo : kafkaControl()

describeOn(engines, 'Separate processes while the broker is away', (control) => {
  const atEnd = cleanup()

  it('go on answering, and every business is one Client when the broker is back', async () => {
    const mint = await separateMint(process.env.MONGO_URL ?? '', process.env.KAFKA_BROKERS ?? '')
    atEnd(() => mint.remove())
    const parts = [mint.start('contracts'), mint.start('businesses')]
    await Promise.all(parts.map((part) => part.ready()))
    const call = await mint.callerOf(mint.start('gateway'))
    const create = async (): Promise<string> => {
      const { status, body } = await call('POST', '/businesses', { legalName: 'École du Nord' })
      assert.equal(status, 201, JSON.stringify(body))
      return body.clientId
    }
    const clients = await createMany(create, BUSINESSES / 3)
    await waitFor(async () => (await call('GET', '/clients')).body.total > 0, { timeout: 15_000, what: 'a Client' })
    await run(control, ['kill', 'kafka'])
    atEnd(() => run(control, ['start', 'kafka']))
    clients.push(...(await createMany(create, BUSINESSES / 3)))
    const told = await call('GET', `/clients/${clients.at(-1)}`)
    assert.equal(told.status, 200, 'a Client that the topic could not tell of')
    await run(control, ['start', 'kafka'])
    clients.push(...(await createMany(create, BUSINESSES / 3)))

    const total = async () => (await call('GET', '/clients?limit=1')).body.total
    await waitFor(async () => (await total()) === BUSINESSES, { timeout: 15_000, what: 'a Client for each business' })
    const found = await Promise.all(clients.map((id) => call('GET', `/clients/${id}`)))
    assert.deepEqual(
      found.map(({ body }) => body.clientId),
      clients,
    )
  }).timeout(60_000)
})

/** By ten callers at once. */
async function createMany(create: () => Promise<string>, count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const own: string[] = []
      for (let index = 0; index < count / 10; index++) own.push(await create())
      return own
    }),
  )
  return made.flat()
}
