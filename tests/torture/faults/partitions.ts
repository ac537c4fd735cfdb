import { setTimeout as pause } from 'node:timers/promises'
import type { Host } from '../../support/hosts.ts'
import type { Mongod } from '../../support/mongod.ts'
import type { Member } from '../cluster/member.ts'
import type { Moment } from '../history.ts'
import { setClosing } from '../load/closings.ts'
import { edit, touch } from '../load/writes.ts'
import { aContractsProcess, doorOf, everyDoor, type FaultKind, forAWhile, type Scene } from './fault.ts'
import { successorOf, untilItKnows } from './mongods.ts'
import { withTwoPrimaries } from './two-primaries.ts'

/** Runs an action while pairs of hosts are cut off from each other. */
async function whileCut(scene: Scene, pairs: readonly (readonly [Host, Host])[], action: () => Promise<void>) {
  await using cuts = new AsyncDisposableStack()
  for (const [one, other] of pairs) cuts.defer(await scene.cluster.network.cut(one, other))
  await action()
}

/**
 * Waits until another primary has been elected and this one knows that it was deposed; resolves to when it knew.
 * `asked`: a process that may still reach it.
 */
async function untilDeposed(scene: Scene, primary: Mongod, asked?: Member): Promise<Moment> {
  const known = untilItKnows(primary).then(scene.now)
  await Promise.all([known, successorOf(scene, primary), asked && askForNothing(scene, asked, known)])
  await forAWhile(scene, 500, 8_000)
  return await known
}

/**
 * Sends a process writes that change nothing, until `end`: an edit of a record that other processes edit, and the
 * closing that was already set.
 */
async function askForNothing({ client, cluster, random }: Scene, process: Member, end: Promise<unknown>) {
  const { closing } = client.known
  const record = { id: client.known.recent() ?? 1, seen: undefined, words: [], left: 0 }
  const others = cluster.contracts.filter((one) => one !== process)
  const here = () => doorOf(cluster, process)
  const elsewhere = () => doorOf(cluster, random.pick(others))
  let isOver = false
  const stop = (): void => {
    isOver = true
  }
  void end.then(stop, stop)
  const repeat = async (action: () => Promise<void>): Promise<void> => {
    while (!isOver) await Promise.all([action(), pause(WRITE_INTERVAL)])
  }
  await Promise.all([
    repeat(() => touch(client, { record, door: here })),
    repeat(() => edit(client, { record, door: elsewhere })),
    closing && repeat(() => setClosing(client, closing, { door: here })),
  ])
}

/** In milliseconds. */
const WRITE_INTERVAL = 50

const othersThan = (scene: Scene, primary: Mongod): Host[] =>
  scene.cluster.mongo.members.filter((mongod) => mongod !== primary).map(scene.cluster.hostOf)

const hostsOf = (members: readonly { readonly host: Host }[]): Host[] => members.map(({ host }) => host)

const between = (ones: readonly Host[], others: readonly Host[]) =>
  ones.flatMap((one) => others.map((other) => [one, other] as const))

/** No one reaches the primary, so its stale state until it notices is never seen. */
export const isolatePrimary: FaultKind = {
  name: 'primary cut off from everybody',
  disturbs: 'mongo',
  async inflict(scene) {
    const { mongo, contracts, businesses, gateways, hostOf } = scene.cluster
    const primary = await mongo.primary()
    const everybody = [...othersThan(scene, primary), ...hostsOf([...contracts, businesses, ...gateways])]
    await whileCut(scene, between([hostOf(primary)], everybody), async () => void (await untilDeposed(scene, primary)))
    return primary.address
  },
}

/** While there are two primaries, every process reaches both. */
export const cutPrimaryFromMembers: FaultKind = {
  name: 'primary cut off from the other members',
  disturbs: 'mongo',
  async inflict(scene) {
    const { mongo, hostOf } = scene.cluster
    const primary = await mongo.primary()
    const pairs = between([hostOf(primary)], othersThan(scene, primary))
    await withTwoPrimaries(mongo, primary, async (elect) => {
      const from = scene.now()
      await whileCut(scene, pairs, async () => {
        const asked = scene.random.pick(scene.cluster.contracts)
        const [ends] = await Promise.all([untilDeposed(scene, primary, asked), elect()])
        scene.record({ type: 'deposed', from, begins: from, ends, gateways: everyDoor(scene.cluster) })
      })
    })
    return primary.address
  },
}

/** One contracts process is on the deposed primary's side, and only the first gateway reaches that process. */
export const cutPrimaryWithProcess: FaultKind = {
  name: 'primary cut off with a contracts process',
  disturbs: 'mongo',
  async inflict(scene) {
    const { mongo, contracts, gateways, hostOf } = scene.cluster
    const primary = await mongo.primary()
    const { victim, named } = await aContractsProcess(scene)
    const others = othersThan(scene, primary)
    const pairs = [
      ...between([hostOf(primary), victim.host], others),
      ...between([hostOf(primary)], hostsOf(contracts.filter((one) => one !== victim))),
      ...between([victim.host], hostsOf(gateways.slice(1))),
    ]
    await withTwoPrimaries(mongo, primary, async (elect) => {
      const from = scene.now()
      await whileCut(scene, pairs, async () => {
        const [ends] = await Promise.all([untilDeposed(scene, primary, victim), elect()])
        scene.record({ type: 'deposed', from, begins: from, ends, gateways: [0, doorOf(scene.cluster, victim)] })
      })
    })
    return `${primary.address} with ${named}`
  },
}

export const cutContractsFromMongo: FaultKind = {
  name: 'contracts process cut off from MongoDB',
  disturbs: 'processes',
  async inflict(scene) {
    const { victim, named } = await aContractsProcess(scene)
    const members = scene.cluster.mongo.members.map(scene.cluster.hostOf)
    await whileCut(scene, between([victim.host], members), () => forAWhile(scene))
    return named
  },
}

export const cutGatewayFromContracts: FaultKind = {
  name: 'gateway cut off from a contracts process',
  disturbs: 'processes',
  async inflict(scene) {
    const { victim, named } = await aContractsProcess(scene)
    const gateway = scene.random.pick(scene.cluster.gateways)
    await whileCut(scene, [[gateway.host, victim.host]], () => forAWhile(scene))
    return `${gateway.name} from ${named}`
  },
}
