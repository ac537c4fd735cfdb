import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { freePort } from './free-port.ts'
import { type Host, loopback } from './hosts.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { waitFor } from './wait-for.ts'

/** Starts a new replica set with a member on each host, in separate folders; elections take about a second. */
export async function startReplicaSet(program: string, size: 1 | 3, hosts: readonly Host[] = []) {
  const folder = temporaryFolder()
  const members = await Promise.all(
    Array.from({ length: size }, async (_, index) =>
      createMongod(program, join(folder.path, `${index}`), hosts[index] ?? loopback),
    ),
  )
  for (const member of members) member.start()
  const addresses = members.map(({ address }) => address)
  await waitFor(() => initiate(addresses), { what: 'the replica set to be initiated', every: 100 })
  const url = `mongodb://${addresses.join(',')}/?replicaSet=test`
  const primary = async (): Promise<Mongod> => {
    const address = await waitFor(() => primaryOf(url), { what: 'a primary', every: 50 })
    const member = members.find((one) => one.address === address)
    if (member === undefined) throw new Error(`${address} is not a member`)
    return member
  }
  await primary()
  return {
    url,
    members,
    /** The current primary. */
    primary,
    async remove() {
      await Promise.all(members.map((member) => member.kill()))
      folder.remove()
    },
  }
}

export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>

async function createMongod(program: string, folder: string, host: Host) {
  mkdirSync(folder)
  const port = await freePort()
  const where = ['--dbpath', folder, '--port', `${port}`, '--bind_ip', host.address, '--nounixsocket']
  // How long a member waits for a sync source that has vanished: 5 s by default, without a majority meanwhile.
  const patience = ['--setParameter', 'oplogNetworkTimeoutBufferSeconds=1']
  const testing = ['--setParameter', 'enableTestCommands=1', ...patience]
  const size = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '200']
  let running: ChildProcess | undefined
  return {
    address: `${host.address}:${port}`,
    /** Where its data files are. */
    folder,
    start() {
      const [command, ...args] = host.command(program, [...where, ...size, ...testing, '--replSet', 'test'])
      running = spawn(command, args, { stdio: 'ignore' })
    },
    signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') {
      running?.kill(signal)
    },
    /** Resolves when the process has exited. */
    async kill() {
      if (running !== undefined) await ended(running)
    },
  }
}

/** A test's own mongod, whose data survive a kill. */
export type Mongod = Awaited<ReturnType<typeof createMongod>>

async function initiate(addresses: readonly string[]): Promise<boolean> {
  const client = new MongoClient(`mongodb://${addresses[0]}/?directConnection=true`, { serverSelectionTimeoutMS: 500 })
  const members = addresses.map((host, _id) => ({ _id, host }))
  // A new primary accepts no writes before every member has answered it or timed out.
  const settings = { electionTimeoutMillis: 1_500, heartbeatIntervalMillis: 200, heartbeatTimeoutSecs: 2 }
  const config = { _id: 'test', members, settings }
  return await withClient(client, async () => !!(await client.db('admin').command({ replSetInitiate: config })))
}

async function primaryOf(url: string): Promise<string | undefined> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 1_000 })
  return await withClient(client, async () => (await client.db('admin').command({ hello: 1 })).primary)
}

/** Calls with a client, and closes it. */
export async function withClient<Answer>(
  client: MongoClient,
  work: (client: MongoClient) => Promise<Answer>,
): Promise<Answer> {
  return await work(client).finally(() => client.close())
}

/** Kills a server, and resolves when it has exited. */
export async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const gone = once(server, 'exit')
  server.kill('SIGKILL')
  await gone
}
