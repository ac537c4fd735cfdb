import { MongoClient } from 'mongodb'
import type { Mongod } from '../../support/mongod.ts'
import { waitFor } from '../../support/wait-for.ts'
import { everyDoor, type FaultKind, forAWhile, type Scene } from './fault.ts'

/** The timeout for anything that MongoDB does, in milliseconds. */
export const MAX_WAIT = 30_000

/** Connects directly to a mongod, even if others can't reach it. */
export async function admin<T>(mongod: Mongod, command: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://${mongod.address}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    socketTimeoutMS: 5_000,
  })
  try {
    return await command(client)
  } finally {
    await client.close()
  }
}

/** Whether it believes that it is the primary. */
const believesToBePrimary = (mongod: Mongod): Promise<boolean> =>
  admin(mongod, async (client) => (await client.db('admin').command({ hello: 1 })).isWritablePrimary === true)

/** Waits until another member is primary. */
export async function successorOf(scene: Scene, former: Mongod): Promise<void> {
  const others = scene.cluster.mongo.members.filter((mongod) => mongod !== former)
  const isOne = async (): Promise<boolean> => (await Promise.all(others.map(believesToBePrimary))).includes(true)
  await waitFor(isOne, { timeout: MAX_WAIT, what: 'another primary', every: 50 })
}

/** Waits until a member knows that it is no longer the primary. */
export async function untilItKnows(former: Mongod): Promise<void> {
  const knows = async (): Promise<boolean> => !(await believesToBePrimary(former))
  await waitFor(knows, { timeout: MAX_WAIT, what: 'the former primary to notice', every: 20 })
}

export const killMongod: FaultKind = {
  name: 'kill -9 of a mongod',
  disturbs: 'mongo',
  async inflict(scene) {
    const { mongo } = scene.cluster
    const primary = await mongo.primary()
    const victim = scene.random.chance(0.6) ? primary : scene.random.pick(mongo.members)
    await victim.kill()
    await forAWhile(scene, 500, 6_000)
    victim.start()
    const answers = () => believesToBePrimary(victim).then(() => true)
    await waitFor(answers, { timeout: MAX_WAIT, what: 'the killed mongod to answer', every: 100 })
    return `${victim.address}${victim === primary ? ' (primary)' : ''}`
  },
}

export const freezePrimary: FaultKind = {
  name: 'freeze of the primary',
  disturbs: 'mongo',
  async inflict(scene) {
    const primary = await scene.cluster.mongo.primary()
    const from = scene.now()
    primary.signal('SIGSTOP')
    await successorOf(scene, primary).finally(async () => {
      await forAWhile(scene, 1_000, 8_000)
      const begins = scene.now()
      primary.signal('SIGCONT')
      await untilItKnows(primary)
      // It may carry out requests that arrived while it was frozen before it learns of its successor.
      scene.record({ type: 'deposed', from, begins, ends: scene.now(), gateways: everyDoor(scene.cluster) })
    })
    return primary.address
  },
}

export const stepDown: FaultKind = {
  name: 'step-down of the primary',
  disturbs: 'mongo',
  async inflict(scene) {
    const primary = await scene.cluster.mongo.primary()
    const command = { replSetStepDown: 15, secondaryCatchUpPeriodSecs: 5, force: scene.random.chance(0.5) }
    await admin(primary, (client) => client.db('admin').command(command))
    await successorOf(scene, primary)
    return primary.address
  },
}
