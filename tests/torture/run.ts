import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { restClient } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'
import { checkHistory } from './checks/check.ts'
import { appenderOf } from './cluster/appender.ts'
import { type Cluster, startCluster } from './cluster/cluster.ts'
import type { SourceChange } from './cluster/source-change.ts'
import { untilWritten } from './faults/clocks.ts'
import type { Scene } from './faults/fault.ts'
import { type Entry, readHistory } from './history.ts'
import { callerOf } from './load/caller.ts'
import type { Client } from './load/client.ts'
import { giveCommands } from './load/commands.ts'
import { directCallerOf } from './load/direct-caller.ts'
import { recordEndState } from './load/end-state.ts'
import { followFeed } from './load/follow-feed.ts'
import { knownRecords } from './load/known-records.ts'
import { startLoad } from './load/load.ts'
import { type Random, seededRandom } from './random.ts'
import { type Recorder, recordTo } from './recorder.ts'

export interface RunOptions {
  readonly mongodProgram: string
  readonly kafkaBrokers: string
  /** Breaks the build under test. */
  readonly defect?: readonly SourceChange[]
  /** The Go command, which builds the checker. */
  readonly go: string
  /** Determines the faults and what clients do, but not which operations meet a fault. */
  readonly seed: number
  readonly operationsPerSecond: number
  /** Inflicts the run's faults, one after another; the run ends with them. */
  readonly faults: (scene: Scene) => Promise<void>
  /** The folder for the history and the logs. */
  readonly folder: string
  /** Aborts the run: everything that was started is removed. */
  readonly signal?: AbortSignal
  readonly say: (line: string) => void
}

/** Runs a Mint of many processes under load and faults, then checks all of its answers. */
export async function torture(options: RunOptions) {
  const { folder, go, say } = options
  mkdirSync(folder, { recursive: true })
  const historyFile = join(folder, 'history.ndjson')
  const others = await drive(options, recordTo(historyFile))
  say('checking the history …')
  const history = await readHistory(historyFile)
  const { violations, checked } = await checkHistory(history, go)
  return { history, historyFile, violations: [...violations, ...others], checked }
}

/** Returns what was wrong besides the answers: processes that crashed, and findings of `mint verify`. */
async function drive(options: RunOptions, recorder: Recorder): Promise<string[]> {
  const { folder, seed, operationsPerSecond, faults, signal, say } = options
  await using ends = new AsyncDisposableStack()
  ends.defer(() => recorder.close())
  const cluster = await startCluster(options)
  ends.defer(() => cluster.remove())
  ends.defer(() => writeLogs(cluster, folder))
  const mongo = new MongoClient(cluster.mongo.url, { serverSelectionTimeoutMS: 1_000 })
  ends.defer(() => mongo.close())
  const seen: Seen = { edited: new Set(), ended: new Map() }
  await untilAllAnswer(cluster)
  const client = clientOf(cluster, await bookkeepersKey(cluster), seededRandom(seed + 1), recorder, seen)
  say('all processes are up')

  const feed = followFeed(client)
  ends.defer(async () => void (await feed.end()))
  const load = startLoad(client, operationsPerSecond)
  ends.defer(() => load.beginNothingMore())
  const over = new AbortController()
  ends.defer(() => over.abort())
  const commands = giveCommands(client, { mint: cluster.mint, folder }, over.signal)
  const { now, record } = recorder
  const scene: Scene = {
    cluster,
    random: seededRandom(seed),
    now,
    record,
    client,
    inALull: load.during,
    signal: over.signal,
    ended: (type) => seen.ended.get(type) ?? 0,
    async recovered() {
      await untilAllAnswer(cluster)
      await untilWritten(scene)
    },
    appender: () => appenderOf(cluster, mongo),
  }
  // A fault that can't be inflicted, or isn't recovered from, is a finding like others.
  const troubles = await Promise.race([faults(scene).then(() => [], troublesIn), brokenOff(signal)])
  say('no more faults')
  over.abort()
  await untilAllAnswer(cluster)
  await Promise.all([load.stop(), commands])
  const crashed = [...cluster.contracts, ...cluster.gateways, cluster.businesses].filter((one) => !one.isRunning())
  // Killing a process ends what it still had in progress: from now on nothing changes.
  await Promise.all(cluster.contracts.map((one) => one.kill()))
  for (const one of cluster.contracts) one.start()
  await Promise.all(cluster.contracts.map((one) => one.ready()))
  await recordEndState(client, seen.edited, feed)
  const verified = await cluster.mint('verify')
  return [
    ...troubles,
    ...crashed.map(({ name }) => `${name} ended by itself`),
    ...[...cluster.logs()].flatMap(([name, log]) => (log.includes(STALLED) ? [`${name} logged: ${STALLED}`] : [])),
    ...(verified.exitCode === 0 ? [] : [`mint verify: ${verified.output}`]),
  ]
}

/** What a process logs when it stops a loop that would never have ended. */
const STALLED = 'a loop made no progress and was ended'

const troublesIn = (error: Error): string[] => [error.message]

/** Creates a key that may do everything but write to closed periods. */
async function bookkeepersKey({ gateways: [gateway], key }: Cluster): Promise<string> {
  const scopes = SCOPES.filter((scope) => scope !== 'closing:override')
  const owner = restClient({ url: `http://${gateway?.address}`, key })
  const { status, body } = await owner('POST', '/api-keys', { name: 'Bookkeeping', scopes })
  if (status !== 201) throw new Error(`no key was made: ${status}`)
  return body.key
}

/** Rejects when the run is aborted. */
function brokenOff(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('broken off')))
  })
}

/** What the run needs to know about its operations. */
interface Seen {
  readonly edited: Set<number>
  readonly ended: Map<Entry['type'], number>
}

function clientOf(cluster: Cluster, key: string, random: Random, { now, record }: Recorder, seen: Seen): Client {
  let words = 0
  const urls = cluster.gateways.map(({ address }) => `http://${address}`)
  const overRest = callerOf(urls, key)
  const directly = directCallerOf(
    cluster.contracts.map(({ address }) => address),
    key,
  )
  return {
    call: (door, request) => (door < urls.length ? overRest(door, request) : directly(door - urls.length, request)),
    now,
    record(entry) {
      seen.ended.set(entry.type, (seen.ended.get(entry.type) ?? 0) + 1)
      if (entry.type === 'edit') seen.edited.add(entry.id)
      record(entry)
    },
    random,
    known: knownRecords(random),
    gateways: urls.length,
    processes: cluster.contracts.length,
    newWord: (letter) => `${letter}${`${++words}`.padStart(8, '0')}`,
  }
}

/** Waits until every gateway reaches everything. */
async function untilAllAnswer({ gateways }: Cluster): Promise<void> {
  for (const { name, address } of gateways) {
    const isReady = async () => (await fetch(`http://${address}/readyz`, { signal: AbortSignal.timeout(5_000) })).ok
    await waitFor(isReady, { timeout: 60_000, what: `${name} to be ready`, every: 100 })
  }
}

function writeLogs(cluster: Cluster, folder: string): void {
  for (const [name, log] of cluster.logs()) writeFileSync(join(folder, `${name}.log`), log)
}
