import { type Db, MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb'
import { StoreUnavailable } from '../../event-sourcing/ports/event-store.ts'
import { appNameOf } from './app-name.ts'
import { mendConnections } from './driver-mending.ts'

/** One service's database, and what this process knows about which member of the replica set is primary. */
export interface MongoConnection {
  readonly db: Db
  /**
   * Counts the primaries this process has met: another number means that another member, or the same one after an
   * election, answers now. It has risen before the first answer of the new primary arrives.
   */
  primaryEpoch(): number
  close(): Promise<void>
}

/**
 * Short enough that a caller with a deadline of 5 s hears of an engine that is away; in milliseconds. A member that
 * stops answering is noticed after heartbeatFrequencyMS + connectTimeoutMS, which also ends the calls it held up.
 */
const TIMEOUTS = { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000, heartbeatFrequencyMS: 1_000 }

/**
 * Connects to one database of a replica set. Throws the driver's error when no primary can be found within 2 s, and
 * StoreUnavailable when DNS does not know the name in a `mongodb+srv` connection string now.
 *
 * @param url a MongoDB connection string
 * @param name the database's name
 */
export async function connectMongo(url: string, name: string): Promise<MongoConnection> {
  mendConnections()
  const client = new MongoClient(url, {
    ...TIMEOUTS,
    ignoreUndefined: true,
    maxPoolSize: 64,
    readPreference: 'primary',
    appName: appNameOf(name),
  })
  let epoch = 0
  let latestElection = ''
  client.on('topologyDescriptionChanged', (event: TopologyDescriptionChangedEvent) => {
    const election = electionOfPrimary(event)
    if (election === undefined || election <= latestElection) return
    latestElection = election
    epoch += 1
  })
  try {
    await client.connect()
  } catch (error) {
    await client.close()
    throw lookupFailure(error) ?? error
  }
  return {
    db: client.db(name),
    primaryEpoch: () => epoch,
    close: () => client.close(),
  }
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
