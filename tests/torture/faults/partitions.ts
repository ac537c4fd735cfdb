import type { Host } from '../../support/hosts.ts'
import type { Mongod } from '../../support/mongod.ts'
import type { Moment } from '../history.ts'
import { aContractsProcess, type FaultKind, forAWhile, type Scene } from './fault.ts'
import { successorOf, untilItKnows } from './mongods.ts'
import { withTwoPrimaries } from './two-primaries.ts'

/** Cuts off pairs of hosts while something is done. */
async function whileCut(scene: Scene, pairs: readonly (readonly [Host, Host])[], action: () => Promise<void>) {
  await using cuts = new AsyncDisposableStack()
  for (const [one, other] of pairs) cuts.defer(await scene.cluster.network.cut(one, other))
  await action()
}

/** Lasts until another primary was elected and this one knows that it is none; answers when it knew. */
async function untilDeposed(scene: Scene, primary: Mongod): Promise<Moment> {
  const known = untilItKnows(primary).then(scene.now)
  await Promise.all([known, successorOf(scene, primary)])
  await forAWhile(scene, 500, 8_000)
  return await known
}

const othersThan = (scene: Scene, primary: Mongod): Host[] =>
  scene.cluster.mongo.members.filter((mongod) => mongod !== primary).map(scene.cluster.hostOf)

const hostsOf = (members: readonly { readonly host: Host }[]): Host[] => members.map(({ host }) => host)

const between = (ones: readonly Host[], others: readonly Host[]) =>
  ones.flatMap((one) => others.map((other) => [one, other] as const))

/** Nobody reaches the primary: what it believes until it notices is seen by nobody. */
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

/** Every process reaches both primaries while there are two. */
export const cutPrimaryFromMembers: FaultKind = {
  name: 'primary cut off from the other members',
  disturbs: 'mongo',
  async inflict(scene) {
    const { mongo, gateways, hostOf } = scene.cluster
    const primary = await mongo.primary()
    const pairs = between([hostOf(primary)], othersThan(scene, primary))
    await withTwoPrimaries(mongo, primary, async (elect) => {
      const from = scene.now()
      await whileCut(scene, pairs, async () => {
        const [ends] = await Promise.all([untilDeposed(scene, primary), elect()])
        scene.record({ type: 'deposed', from, begins: from, ends, gateways: gateways.map((_, index) => index) })
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
        const [ends] = await Promise.all([untilDeposed(scene, primary), elect()])
        scene.record({ type: 'deposed', from, begins: from, ends, gateways: [0] })
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
