import assert from 'node:assert/strict'
import { BUSINESSES_TOPIC, topicIn } from '../../../shared/runtime/settings/topic-names.ts'
import { mint as commandLine, jsonLines } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { aNewContract } from '../../support/rest.ts'
import { newSeparateMint, type SeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const brokers = process.env.KAFKA_BROKERS ?? ''

const POLLING = { timeout: 60_000, every: 100 }
const BUSINESSES = 5
const RENAMES = 4

interface Listed {
  readonly clients: readonly { readonly clientId: string; readonly updatedAt: string }[]
}

describeOn(bothEngines(), 'Separate processes whose businesses are renamed', (mongoUrl) => {
  /** Creates businesses with a contract each, which the reports show by name. */
  async function given() {
    const mint = await newSeparateMint(mongoUrl)
    const { call, contracts, businesses } = await mint.startAll()
    const created: { readonly id: string; readonly clientId: string }[] = []
    for (let number = 1; number <= BUSINESSES; number++) {
      const { body } = await call('POST', '/businesses', { legalName: `Business ${number}` })
      assert.equal((await call('POST', '/contracts', aNewContract({ clientId: body.clientId }))).status, 201)
      created.push(body)
    }
    let round = 0
    return {
      mint,
      parts: { contracts, businesses },
      call,
      created,
      /** Renames every business several times. */
      async rename(): Promise<void> {
        round += 1
        for (let rename = 1; rename <= RENAMES; rename++) {
          for (const { id } of created) await call('PATCH', `/businesses/${id}`, { operatedAs: `${round}.${rename}` })
        }
      },
      /** Waits until the list of Clients shows every business's latest version. */
      caughtUp: () =>
        waitFor(
          async () => {
            const { clients }: Listed = (await call('GET', '/clients?limit=100')).body
            const now = await Promise.all(created.map(async ({ id }) => (await call('GET', `/businesses/${id}`)).body))
            return now.every((one) =>
              clients.some((client) => client.clientId === one.clientId && client.updatedAt === one.updatedAt),
            )
          },
          { ...POLLING, what: 'the Clients' },
        ),
    }
  }

  it('keep every name through kills, a deleted topic and replays during the renames', async () => {
    const { mint, parts, call, created, rename, caughtUp } = await given()
    await rename()
    await caughtUp()

    // The new topic begins with messages that are older than the Clients, which are older than the businesses.
    await parts.contracts.kill()
    await deleteTopics(brokers, topicIn(mint.namespace, BUSINESSES_TOPIC))
    await rename()
    const second = mint.start('contracts')
    await rename()
    await caughtUp()

    const renaming = rename()
    await second.kill()
    const third = mint.start('contracts')
    await replay(mint)
    await third.ready()
    await renaming
    await parts.businesses.kill()
    const restarted = mint.start('businesses')
    await restarted.ready()
    await rename()
    await caughtUp()

    for (const { id, clientId } of created) {
      const { events } = (await call('GET', `/businesses/${id}/history?limit=100`)).body
      for (const { version, at, data } of events) {
        const asOf = encodeURIComponent(at)
        const report = await call('GET', `/reports/contracts?groupBy=clientId&clientId=${clientId}&asOf=${asOf}`)
        // The first name applies since before the contract.
        if (version > 1) assert.equal(report.body.rows[0]?.displayName, data.operatedAs, `${clientId} at ${version}`)
      }
    }
    const { exitCode, output } = await commandLine(['verify', '--json'], mint.settings)
    assert.deepEqual([exitCode, jsonLines(output).length], [0, 1], output)
  }).timeout(180_000)
})

async function replay(mint: SeparateMint): Promise<void> {
  const { exitCode, errors } = await commandLine(['relay', 'replay'], mint.settings)
  assert.equal(exitCode, 0, errors)
}
