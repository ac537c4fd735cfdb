import { type Db, MongoClient, type TopologyDescriptionChangedEvent } from 'mongodb'
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
  onPrimaryChanged(listener: () => void): void
  close(): Promise<void>
}

/**
 * Short enough that a caller with a deadline of 5 s hears of an engine that is away; in milliseconds. A member that
 * stops answering is noticed after heartbeatFrequencyMS + connectTimeoutMS, which also ends the calls it held up.
 */
const TIMEOUTS = { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000, heartbeatFrequencyMS: 1_000 }

/**
 * Connects to one database of a replica set. Throws the driver's error when no primary can be found within 2 s.
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
  const listeners: (() => void)[] = []
  client.on('topologyDescriptionChanged', (event: TopologyDescriptionChangedEvent) => {
    const election = electionOfPrimary(event)
    if (election === undefined || election <= latestElection) return
    latestElection = election
    epoch += 1
    for (const listener of listeners) listener()
  })
  try {
    await client.connect()
  } catch (error) {
    await client.close()
    throw error
  }
  return {
    db: client.db(name),
    primaryEpoch: () => epoch,
    onPrimaryChanged: (listener) => {
      listeners.push(listener)
    },
    close: () => client.close(),
  }
}

/** Election ids rise with every election (server discovery specification), as do their hexadecimal forms. */
function electionOfPrimary(event: TopologyDescriptionChangedEvent): string | undefined {
  for (const server of event.newDescription.servers.values()) {
    if (server.isWritable && server.electionId) return server.electionId.toHexString()
  }
  return undefined
}
