import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import type { EngineCertificates } from './engine-certificates.ts'
import { freePort } from './free-port.ts'
import { ended, withClient } from './mongod.ts'
import { waitFor } from './wait-for.ts'

interface User {
  readonly name: string
  readonly password: string
}

const ADMIN: User = { name: 'admin', password: 'admin-of-tests' }

/** Starts it in a folder; `certificates` are for `localhost` and 127.0.0.1. `needsCertificate`: clients need one. */
export async function startSecuredMongod(
  program: string,
  folder: string,
  { ca, server, client }: EngineCertificates,
  { needsCertificate = false } = {},
) {
  const port = await freePort()
  const data = join(folder, 'mongo')
  mkdirSync(data, { recursive: true })
  const keyFile = join(folder, 'members.key')
  writeFileSync(keyFile, randomBytes(96).toString('base64'), { mode: 0o600 })
  const where = ['--dbpath', data, '--port', `${port}`, '--bind_ip', '127.0.0.1', '--nounixsocket']
  const size = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '200']
  const tls = ['--tlsMode', 'requireTLS', '--tlsCertificateKeyFile', server, '--tlsCAFile', ca]
  const clients = needsCertificate ? [] : ['--tlsAllowConnectionsWithoutCertificates']
  const users = ['--auth', '--keyFile', keyFile, '--replSet', 'secured']
  const running = spawn(program, [...where, ...size, ...tls, ...clients, ...users], { stdio: 'ignore' })
  const tlsOptions = { tls: 'true', tlsCAFile: ca, ...(needsCertificate && { tlsCertificateKeyFile: client }) }
  const address = (user: string, options: Readonly<Record<string, string>>): string =>
    `mongodb://${user}127.0.0.1:${port}/?${new URLSearchParams({ ...options })}`
  const url = ({ name, password }: User, options: Readonly<Record<string, string>> = {}) =>
    address(`${name}:${encodeURIComponent(password)}@`, { replicaSet: 'secured', ...tlsOptions, ...options })
  const adminUrl = url(ADMIN)

  const asAdmin = async <Answer>(work: (client: MongoClient) => Promise<Answer>): Promise<Answer> =>
    await withClient(new MongoClient(adminUrl), work)

  const bare = address('', { directConnection: 'true', serverSelectionTimeoutMS: '500', ...tlsOptions })
  await waitFor(() => withClient(new MongoClient(bare), (client) => initiate(client, port)), {
    what: 'the secured mongod',
    every: 100,
  })
  return {
    port,
    /** `options`: replace the ones that work. */
    url,
    /** The URL of the user with all rights. */
    adminUrl,
    /** Creates the user, with readWrite on only these databases, or changes its password. */
    setUser: (name: string, password: string, databases?: readonly string[]) =>
      asAdmin(async (client) => {
        const admin = client.db('admin')
        if (databases === undefined) await admin.command({ updateUser: name, pwd: password })
        else {
          const roles = databases.map((db) => ({ role: 'readWrite', db }))
          await admin.command({ createUser: name, pwd: password, roles })
        }
      }),
    dropUser: (name: string) => asAdmin(async (client) => void (await client.db('admin').command({ dropUser: name }))),
    /** The databases that processes of Mint have open as this user. */
    databasesUsedBy: (user: string) =>
      asAdmin(async (client) => {
        const stages = [
          { $currentOp: { allUsers: true, idleConnections: true } },
          { $match: { appName: /^mint /, 'effectiveUsers.user': user } },
        ]
        const found = await client.db('admin').aggregate<{ appName: string }>(stages).toArray()
        return [...new Set(found.map(({ appName }) => appName.split(' ')[1] ?? ''))].sort()
      }),
    /** Reloads replaced certificates, like `db.rotateCertificates()`. */
    rotateCertificates: () =>
      asAdmin(async (client) => void (await client.db('admin').command({ rotateCertificates: 1 }))),
    stop: () => ended(running),
  }
}

/** A replica set of one that requires TLS and has users. */
export type SecuredMongod = Awaited<ReturnType<typeof startSecuredMongod>>

/** The first user is created through the localhost exception. */
async function initiate(client: MongoClient, port: number): Promise<boolean> {
  const admin = client.db('admin')
  const config = { _id: 'secured', members: [{ _id: 0, host: `127.0.0.1:${port}` }] }
  await admin.command({ replSetInitiate: config }).catch((error) => {
    if (error.codeName !== 'AlreadyInitialized') throw error
  })
  await waitFor(async () => (await admin.command({ hello: 1 })).isWritablePrimary, { every: 50 })
  await admin.command({ createUser: ADMIN.name, pwd: ADMIN.password, roles: ['root'] })
  return true
}
