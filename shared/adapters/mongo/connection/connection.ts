import { setTimeout as delay } from 'node:timers/promises'
import { MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import type { Logger } from '../../../runtime/log/logger.ts'
import { appNameOf } from './app-name.ts'
import { currentDb } from './current-db.ts'
import { mendConnections } from './driver-mending.ts'
import type { MongoUrl } from './followed-url.ts'
import { firstProblem } from './problem.ts'

/** One service's database, and what this process knows about which member of the replica set is primary. */
export type MongoConnection = Awaited<ReturnType<typeof connectMongo>>

/**
 * Short enough that a caller with a deadline of 5 s hears of an engine that is away; in milliseconds. A member that
 * stops answering is noticed after heartbeatFrequencyMS + connectTimeoutMS, which also ends the calls it held up.
 */
const TIMEOUTS = { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000, heartbeatFrequencyMS: 1_000 }

/** How long what is under way may use a client that another one has replaced, in milliseconds. */
const FORMER_CLIENT_GRACE = 30_000
/** Between two tries to connect by a new connection string, in milliseconds. */
const RETRY_DELAY = 2_000

/**
 * Connects to one database of a replica set. Throws the driver's error when no primary can be found within 2 s, and
 * StoreUnavailable when DNS does not know the name in a `mongodb+srv` connection string now, or a setting is wrong.
 * When the connection string changes, or a certificate that it names, a second client is connected; once it is, what
 * begins goes by that one.
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

  async function renew(): Promise<void> {
    const next = await open()
    if (closing.signal.aborted) return await next.close()
    const former = client
    ;[client, db] = [next, next.db(name)]
    clients.add(next)
    // It may have met another primary: nothing is read by it before that one has shown that it is.
    epoch++
    setTimeout(() => void close(former), FORMER_CLIENT_GRACE).unref()
  }

  async function renewUntilDone(logger: Logger): Promise<void> {
    for (;;) {
      try {
        await renew()
        return logger.info({ database: name }, 'connected by the changed MONGO_URL or certificates')
      } catch (err) {
        logger.warn({ outage: 'mongo', database: name, err }, 'cannot connect by the changed MONGO_URL or certificates')
      }
      await delay(RETRY_DELAY, undefined, { signal: closing.signal })
    }
  }

  async function close(one: MongoClient): Promise<void> {
    if (clients.delete(one)) await one.close()
  }

  if ('onChange' in followed) followed.onChange(() => void renewUntilDone(followed.logger).catch(() => undefined))
  return {
    db: currentDb(() => db),
    /**
     * Counts the primaries this process has met: another number means that another member, or the same one after an
     * election, answers now. It has risen before the first answer of the new primary arrives.
     */
    primaryEpoch: () => epoch,
    async close() {
      closing.abort()
      await Promise.all([...clients].map(close))
    },
  }
}

/** Connects, and proves by it that the server takes the user. Throws as connectMongo does. */
export async function openClient(url: string, name: string, onElection = () => {}): Promise<MongoClient> {
  mendConnections()
  const client = new MongoClient(url, {
    ...TIMEOUTS,
    ignoreUndefined: true,
    maxPoolSize: 64,
    readPreference: 'primary',
    appName: appNameOf(name),
  })
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

function refusal(error: unknown): StoreUnavailable | undefined {
  const problem = firstProblem(error)
  return problem === undefined ? undefined : new StoreUnavailable(`MongoDB can’t be used: ${problem}`, { cause: error })
}

/** The driver throws Node's own error then, which says nothing of MongoDB. */
function lookupFailure(error: unknown): StoreUnavailable | undefined {
  const { syscall = '', code, hostname } = error as NodeJS.ErrnoException & { readonly hostname?: string }
  if (!syscall.startsWith('query')) return undefined
  return new StoreUnavailable(`the DNS lookup of ${hostname} failed (${code}): check the name in MONGO_URL`, {
    cause: error,
  })
}

/** Election ids rise with every election (server discovery specification), as do their hexadecimal forms. */
function electionOfPrimary(event: TopologyDescriptionChangedEvent): string | undefined {
  for (const server of event.newDescription.servers.values()) {
    if (server.isWritable && server.electionId) return server.electionId.toHexString()
  }
  return undefined
}
