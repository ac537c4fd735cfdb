import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Status } from '../../../cli/admin/status.ts'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { relayOf } from '../../../shared/runtime/settings/topic-names.ts'
import { version } from '../../../shared/runtime/this-process.ts'
import { atEnd } from '../../support/cleanup.ts'
import { itemsOf, mint } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { startedMint } from '../../support/mint-process.ts'
import type { PartProcess } from '../../support/part-process.ts'
import { clientFromProtoFile } from '../../support/plain-grpc.ts'
import { present } from '../../support/requests.ts'
import { aNewContract } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

type Environment = Readonly<Record<string, string>>

const POLLING = { timeout: 60_000, every: 100 }

async function statusOf(environment: Environment): Promise<Status & { version: string; data: string }> {
  const [status, ...more] = await itemsOf<Status & { version: string; data: string }>(['status'], environment)
  assert.equal(more.length, 0)
  return present(status)
}

const logOf = (part: string, position: number, views: readonly string[]) => ({
  part,
  position,
  isImportUnfinished: false,
  views: views.map((view) => ({ view, behind: 0 })),
})

describe('cli/mint status', () => {
  it('shows the contents of a folder without a running Mint, and that no process is running', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 5, businesses: 2 })
    const database = await openSqliteDatabase({ file: join(folder, 'businesses.db'), views: [] })
    await database.checkpoints.reset(relayOf('businesses'))
    await database.close()
    assert.deepEqual(await statusOf({ DATA_DIR: folder }), {
      version,
      data: `DATA_DIR=${folder}`,
      processes: [],
      logs: [
        logOf('businesses', 2, ['businesses']),
        logOf('contracts', 8, ['contracts', 'clients', 'closings', 'firms', 'proposals']),
        logOf('gateway', 0, ['api_keys', 'webhooks']),
      ],
      relay: { isAtWork: false, behind: 2 },
      contractsRelay: null,
      unhandledMessages: null,
      topicProblems: null,
      contractsTopicProblems: null,
      deadLetters: 0,
    })
    const { output } = await mint(['status'], { DATA_DIR: folder })
    assert.match(output, /^none$/m)
    assert.match(output, /^contracts {3}8 {9}contracts 0, clients 0, closings 0, firms 0, proposals 0$/m)
    assert.match(output, /^Relay {9}not running, 2 events behind$/m)
    assert.ok(output.split('\n').length <= 24)
  })

  it('shows the version and the addresses of a running Mint, even if its folder’s path is too long for a socket', async () => {
    const dataFolder = join(newFolder(), 'x'.repeat(120))
    const running = await startedMint({ dataFolder })
    const { processes, relay } = await statusOf({ DATA_DIR: dataFolder })
    const { url, contractsAddress: contracts, businessesAddress: businesses, metricsUrl: metrics } = running
    assert.deepEqual(processes, [
      {
        name: 'mint',
        version,
        at: `${hostname()}/${running.pid}`,
        addresses: { REST: url, contracts, businesses, metrics },
      },
    ])
    assert.deepEqual(relay, { isAtWork: true, behind: 0 })
    const { output } = await mint(['status'], { DATA_DIR: dataFolder })
    assert.match(output, new RegExp(`^mint {8}${version} +${hostname()}/${running.pid}\\n  REST {8}${url}$`, 'm'))
    assert.ok(output.split('\n').length <= 24)
  })

  describeOn(bothEngines(), 'of separate processes', (mongoUrl) => {
    it('shows over REST and on the command line which are running, where, in which version, and their progress', async () => {
      const separate = await newSeparateMint(mongoUrl)
      const missing = await mint(['status'], separate.settings)
      assert.deepEqual([missing.exitCode, missing.output], [1, ''])
      assert.match(missing.errors, /^There is no database \S+_contracts: set MONGO_URL and NAMESPACE/)

      const { call, ...parts } = await separate.startAll()
      assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
      assert.equal((await call('POST', '/businesses', { legalName: 'École du Nord' })).status, 201)
      const overRest = async () => {
        const answer = await call('GET', '/operations/status')
        assert.equal(answer.status, 200)
        return answer.body
      }
      const settled = async (): Promise<boolean> => {
        const { relay, contractsRelay, unhandledMessages, services } = await overRest()
        const lags = [relay.lagEvents, contractsRelay.lagEvents, unhandledMessages]
        return services[1].status.position === 2 && lags.every((lag) => lag === 0)
      }
      await waitFor(settled, { ...POLLING, what: 'the Client' })
      const processOf = (part: PartProcess) => ({ version, at: `${hostname().slice(0, 40)}/${part.pid}` })
      assert.deepEqual(await statusOf(separate.settings), {
        version,
        data: `NAMESPACE=${separate.namespace} on MongoDB`,
        processes: (['businesses', 'contracts', 'gateway'] as const).map((name) => ({
          name,
          version,
          at: `${hostname()}/${parts[name].pid}`,
        })),
        logs: [
          // Each process has its own views.
          logOf('businesses', 1, []),
          logOf('contracts', 2, []),
          logOf('gateway', 0, []),
        ],
        relay: { isAtWork: true, behind: 0 },
        contractsRelay: { isAtWork: true, behind: 0 },
        unhandledMessages: 0,
        topicProblems: [],
        contractsTopicProblems: [],
        deadLetters: 0,
      })

      const other = separate.start('contracts', { CONTRACTS_PORT: '0' })
      await other.ready()
      const bothShown = async () => (await overRest()).services[1].status.processes.length === 2
      await waitFor(bothShown, { ...POLLING, what: 'the second contracts process' })
      const service = (name: keyof typeof parts, position: number, views: readonly string[], more: object[] = []) => {
        const process = processOf(parts[name])
        const ofViews = views.map((view) => ({ name: view, position, lagEvents: 0, lagSeconds: 0 }))
        const processes = [process, ...more]
        return { name, problem: null, status: { engine: 'mongodb', position, views: ofViews, process, processes } }
      }
      const { services, ...rest } = await overRest()
      assert.deepEqual(services, [
        service('gateway', 0, ['api_keys', 'webhooks']),
        service('contracts', 2, ['contracts', 'clients', 'closings', 'firms', 'proposals'], [processOf(other)]),
        service('businesses', 1, ['businesses']),
      ])
      const relay = { position: 1, lagEvents: 0, lagSeconds: 0 }
      const topics = { relay, topicProblems: [], contractsRelay: { ...relay, position: 2 }, contractsTopicProblems: [] }
      assert.deepEqual(rest, { ready: true, missing: [], unhandledMessages: 0, deadLetters: 0, ...topics })
      const plain = clientFromProtoFile(
        separate.businessesAddress,
        'mint.operations.v1.StatusService',
        'mint/operations/v1/status.proto',
        separate.key,
      )
      atEnd(() => plain.close())
      assert.equal((await plain.call('GetStatus', {})).position, 1)

      await parts.businesses.kill()
      await waitFor(async () => !(await overRest()).ready, { ...POLLING, what: '/readyz to notice' })
      const without = await overRest()
      assert.deepEqual([without.missing, without.relay], [['businesses'], null])
      const problem = 'The service is unavailable: try again.'
      assert.deepEqual(without.services[2], { name: 'businesses', problem, status: null })
      assert.equal(without.services[1].problem, null)

      for (const part of [parts.contracts, parts.gateway, other]) await part.end()
      // The lease of a killed process lasts for ten seconds.
      const gone = async () => {
        const { processes, relay } = await statusOf(separate.settings)
        return processes?.length === 0 && relay.isAtWork === false
      }
      await waitFor(gone, { every: 100, what: 'MongoDB to notice' })
      const { output } = await mint(['status'], { ...separate.settings, KAFKA_BROKERS: '' })
      assert.match(output, /^none$/m)
      assert.match(output, /^LOG {9}POSITION$/m)
      assert.match(output, /^Relay {9}not running, 0 events behind\n {2}contracts {3}not running, 0 events behind$/m)
      assert.match(output, /^Topic {9}unknown \(set KAFKA_BROKERS/m)
      assert.match(output, /^Set aside {5}0 messages$/m)
    }).timeout(150_000)
  })
})
