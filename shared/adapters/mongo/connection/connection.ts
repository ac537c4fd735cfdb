import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../../../runtime/log/logger.ts'
import type { WatchedFiles } from '../../../runtime/watch-files.ts'
import { appNameOf } from './connected-processes.ts'
import { currentDb } from './current-db.ts'
import { patchConnections } from './driver-patch.ts'
import { connectProblem } from './problem.ts'

/** The current connection string. */
export interface MongoUrl extends WatchedFiles<string> {
  /** Checks that a new one must pass before it is used; they reject with an error that names MONGO_URL_FILE. */
  readonly checks: ((client: MongoClient) => Promise<void>)[]
  readonly logger: Logger
}

/** One service's database, and what this process knows about the replica set's primary. */
export type MongoConnection = Awaited<ReturnType<typeof connectMongo>>

/**
 * In milliseconds: short enough that a caller with a deadline of 5 s learns that the engine is unavailable. A member
 * that stops answering is detected after heartbeatFrequencyMS + connectTimeoutMS, which also ends the calls it blocked.
 */
const TIMEOUTS = { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000, heartbeatFrequencyMS: 1_000 }

/** How long calls in progress may use a client that has been replaced, in milliseconds. */
const FORMER_CLIENT_GRACE = 30_000
/** Interval between two attempts to connect with a new connection string, in milliseconds. */
const RETRY_DELAY = 2_000

/**
 * Connects to one database of a replica set. Throws the driver's error when no primary is found within 2 s, and
 * StoreUnavailable when DNS can't resolve the name in a `mongodb+srv` connection string, or a setting is wrong.
 * When the connection string or a certificate that it names changes, a second client connects, and new operations then
 * use that one.
 *
 * @param name the database's name
 */
export async function connectMongo(url: string | MongoUrl, name: string) {
  const followed = typeof url === 'string' ? { current: () => url } : url
  let epoch = 0
  const open = () => openClient(followed.current(), name, () => epoch++)
  let client = await open()
  let db = client.db(name)
  const clients = new Set([client])
  const closing = new AbortController()

  async function reconnect(): Promise<void> {
    const next = await open()
    if (closing.signal.aborted) return await next.close()
    const former = client
    ;[client, db] = [next, next.db(name)]
    clients.add(next)
    // The new client may see another primary, which must confirm a write before anything is read from it.
    epoch++
    setTimeout(() => void close(former), FORMER_CLIENT_GRACE).unref()
  }

  async function reconnectUntilDone(logger: Logger): Promise<void> {
    for (;;) {
      try {
        await reconnect()
        return logger.info({ database: name }, 'connected with the changed MONGO_URL or certificates')
      } catch (err) {
        logger.warn(
          { outage: 'mongo', database: name, err },
          'cannot connect with the changed MONGO_URL or certificates',
        )
      }
      await delay(RETRY_DELAY, undefined, { signal: closing.signal })
    }
  }

  async function close(one: MongoClient): Promise<void> {
    if (clients.delete(one)) await one.close()
  }

  if ('onChange' in followed) followed.onChange(() => void reconnectUntilDone(followed.logger).catch(() => undefined))
  return {
    db: currentDb(() => db),
    /**
     * Counts the primaries that this process has seen: a new number means that another member, or the same one after an
     * election, answers now. It increases before the new primary's first answer arrives.
     */
    primaryEpoch: () => epoch,
    async close() {
      closing.abort()
      await Promise.all([...clients].map(close))
    },
  }
}

/** Connects, which also proves that the server accepts the user. Throws like connectMongo. */
export async function openClient(url: string, name: string, onElection = () => {}): Promise<MongoClient> {
  patchConnections()
  const client = createClient(url, name)
  let latestElection = ''
  client.on('topologyDescriptionChanged', (event: TopologyDescriptionChangedEvent) => {
    const election = electionOfPrimary(event)
    if (election === undefined || election <= latestElection) return
    latestElection = election
    onElection()
  })
  try {
    return await client.connect()
  } catch (error) {
    await client.close()
    throw lookupFailure(error) ?? refusal(error) ?? error
  }
}

/** Reads a connection string without connecting. Throws a one-line Error that names the setting when it is wrong. */
export function createClient(url: string, name: string): MongoClient {
  try {
    const client = new MongoClient(url, {
      ...TIMEOUTS,
      ignoreUndefined: true,
      maxPoolSize: 64,
      readPreference: 'primary',
      appName: appNameOf(name),
    })
    // The driver would fail only at the first command.
    if (!client.options.compressors.includes('snappy')) return client
    throw new Error('compressors=snappy needs a package that Mint doesn’t have; zstd and zlib work')
  } catch (error) {
    throw new Error(`MONGO_URL can’t be used: ${(error as Error).message}`, { cause: error })
  }
}

function refusal(error: unknown): StoreUnavailable | undefined {
  const problem = connectProblem(error)
  return problem === undefined ? undefined : new StoreUnavailable(`MongoDB can’t be used: ${problem}`)
}

/** The driver then throws Node's own error, which doesn't mention MongoDB. */
function lookupFailure(error: unknown): StoreUnavailable | undefined {
  const { syscall = '', code, hostname } = error as NodeJS.ErrnoException & { readonly hostname?: string }
  if (!syscall.startsWith('query')) return undefined
  return new StoreUnavailable(`the DNS lookup of ${hostname} failed (${code}): check the name in MONGO_URL`)
}

/** Election ids increase with every election (server discovery specification), and so do their hexadecimal forms. */
function electionOfPrimary(event: TopologyDescriptionChangedEvent): string | undefined {
  for (const server of event.newDescription.servers.values()) {
    if (server.isWritable && server.electionId) return server.electionId.toHexString()
  }
  return undefined
}
