import { type Db, MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb'
import { StoreUnavailable } from '../../../event-sourcing/ports/event-store.ts'
import { appNameOf } from './connected-processes.ts'
import { currentDb } from './current-db.ts'
import { patchConnections } from './driver-patch.ts'
import { connectProblem } from './problem.ts'

/** A connection string that may change. */
export interface MongoUrl {
  current(): string
  /** How each open connection is replaced when it changes. */
  readonly replacements: Set<(changed: string) => Promise<Replacement>>
}

/** A client that is connected with a changed connection string, and not used yet. */
export interface Replacement {
  /** From now on, new operations use it. */
  use(): void
  cancel(): Promise<void>
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

/**
 * Connects to one database of a replica set. Throws the driver's error when no primary is found within 2 s, and
 * StoreUnavailable when DNS can't resolve the name in a `mongodb+srv` connection string, a setting is wrong, or the
 * connection string changes meanwhile.
 * When the connection string or a certificate that it names changes, a second client connects, and new operations then
 * use that one.
 *
 * @param name the database's name
 */
export async function connectMongo(url: string | MongoUrl, name: string) {
  const { current, replacements } = typeof url === 'string' ? { current: () => url, replacements: undefined } : url
  let epoch = 0
  const opened = current()
  let client = await openClient(opened, name, () => epoch++)
  if (current() !== opened) {
    await client.close()
    throw new StoreUnavailable('MONGO_URL has changed while MongoDB was being connected')
  }
  let db = client.db(name)
  const clients = new Set([client])
  let isClosed = false
  let check = async (_: Db): Promise<void> => undefined

  async function close(one: MongoClient): Promise<void> {
    if (clients.delete(one)) await one.close()
  }

  async function replace(changed: string): Promise<Replacement> {
    let isUsed = false
    const next = await openClient(changed, name, () => {
      if (isUsed) epoch++
    })
    clients.add(next)
    const cancel = () => close(next)
    try {
      if (isClosed) throw new StoreUnavailable('the database is closed')
      await check(next.db(name))
    } catch (error) {
      await cancel()
      throw error
    }
    return {
      cancel,
      use() {
        isUsed = true
        const former = client
        ;[client, db] = [next, next.db(name)]
        // The new client may see another primary, which must confirm a write before anything is read from it.
        epoch++
        setTimeout(() => void close(former), FORMER_CLIENT_GRACE).unref()
      },
    }
  }

  replacements?.add(replace)
  return {
    db: currentDb(() => db),
    /**
     * Counts the primaries that this process has seen: a new number means that another member, or the same one after an
     * election, answers now. It increases before the new primary's first answer arrives.
     */
    primaryEpoch: () => epoch,
    /**
     * Sets the check that a server must pass before it replaces this one; it rejects with an error that names
     * MONGO_URL_FILE.
     */
    replaceOnlyIf(accepted: typeof check) {
      check = accepted
    },
    async close() {
      isClosed = true
      replacements?.delete(replace)
      await Promise.all([...clients].map(close))
    },
  }
}

/** Connects, which also proves that the server accepts the user. Throws like connectMongo. */
async function openClient(url: string, name: string, onElection = () => {}): Promise<MongoClient> {
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
