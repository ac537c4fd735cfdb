import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, rmSync } from 'node:fs'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { relayOf } from '../../../shared/runtime/settings/topic-names.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, type Engine, kafkaEngine, mongodProgram } from '../../support/engines.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { type Mongod, startReplicaSet } from '../../support/mongod.ts'
import { aNewContract, type Rest } from '../../support/rest.ts'
import { newSeparateMint, type SeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const brokers = kafkaEngine()
const needed: Engine = 'missing' in brokers ? brokers : mongodProgram()

describeOn(needed, 'A backup of MongoDB', (program) => {
  it('restores everything as of its time, and Clients are updated again after the steps in docs/operations.md', async () => {
    const kafka = process.env.KAFKA_BROKERS ?? ''
    const set = atEnd.remove(await startReplicaSet(program, 1))
    const member = await set.primary()
    const mint = await newSeparateMint(set.url)
    const copy = newFolder()

    const { call, ...parts } = await mint.startAll()
    const request = ['POST', '/contracts', aNewContract(), { 'idempotency-key': randomUUID() }] as const
    const first = await call(...request)
    await call('PATCH', '/contracts/1', { serviceFee: 19.99 })
    const key = (await call('POST', '/api-keys', { name: 'kept', scopes: ['contracts:read'] })).body.key
    await createBusiness(call, 'École du Nord', ['École du Nord'])
    const history = await call('GET', '/contracts/1/history')
    await backUp(member, copy)

    await createBusiness(call, 'Never happened', ['Never happened', 'École du Nord'])
    await Promise.all(Object.values(parts).map((part) => part.end()))
    await restore(member, copy)
    await set.primary()
    await deleteTopics(kafka, `${mint.namespace}.`)
    await replay(mint, set.url)

    const restored = (await mint.startAll()).call
    assert.deepEqual((await restored('GET', '/contracts/1/history')).body, history.body)
    const again = await restored(...request)
    assert.deepEqual([again.status, again.body], [201, first.body])
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    const withKey = await restored('GET', '/contracts', undefined, { authorization: `Bearer ${key}` })
    assert.deepEqual([withKey.status, withKey.body.total], [200, 1])
    assert.deepEqual(await names(restored, '/businesses', 'legalName'), ['École du Nord'])
    // Its event reuses the position of the event that the restore undid.
    await createBusiness(restored, 'Made since', ['Made since', 'École du Nord'])
  }).timeout(120_000)
})

/** Creates a business and waits until the Clients are exactly these, newest first. */
async function createBusiness(call: Rest, legalName: string, clients: readonly string[]): Promise<void> {
  assert.equal((await call('POST', '/businesses', { legalName })).status, 201)
  const clientNames = async () => JSON.stringify(await names(call, '/clients', 'displayName'))
  await waitFor(async () => (await clientNames()) === JSON.stringify(clients), {
    what: `the Clients ${clients}`,
  })
}

async function names(call: Rest, path: '/businesses' | '/clients', field: string): Promise<string[]> {
  const { body } = await call('GET', path)
  return body[path.slice(1)].map((record: Record<string, string>) => record[field])
}

/** Makes a plain copy of the data files while writes are blocked. */
async function backUp({ address, folder }: Mongod, copy: string): Promise<void> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`)
  await client.db('admin').command({ fsync: 1, lock: true })
  try {
    cpSync(folder, copy, { recursive: true, filter: (file) => !file.endsWith('mongod.lock') })
  } finally {
    await client.db('admin').command({ fsyncUnlock: 1 })
    await client.close()
  }
}

async function restore(member: Mongod, copy: string): Promise<void> {
  await member.kill()
  rmSync(member.folder, { recursive: true })
  cpSync(copy, member.folder, { recursive: true })
  member.start()
}

/** What `mint relay replay` does. */
async function replay({ namespace }: SeparateMint, url: string): Promise<void> {
  const database = await openMongoDatabase({
    url,
    name: `${namespace}_businesses`,
    views: [],
    viewsFolder: newFolder(),
  })
  await database.checkpoints.reset(relayOf('businesses'))
  await database.close()
}
