import type { Member } from '../cluster/member.ts'
import { aContractsProcess, type FaultKind, forAWhile, type Scene } from './fault.ts'

/** kill -9, and a new process a moment later. */
async function killAndStart(scene: Scene, victim: Member): Promise<void> {
  await victim.kill()
  await forAWhile(scene, 0, 3_000)
  victim.start()
  await victim.ready()
}

async function freezeAndResume(scene: Scene, victim: Member): Promise<void> {
  victim.freeze()
  await forAWhile(scene)
  victim.resume()
}

export const killContracts: FaultKind = {
  name: 'kill -9 of a contracts process',
  disturbs: 'processes',
  async inflict(scene) {
    const { victim, named } = await aContractsProcess(scene)
    await killAndStart(scene, victim)
    return named
  },
}

export const killGateway: FaultKind = {
  name: 'kill -9 of a gateway',
  disturbs: 'processes',
  async inflict(scene) {
    const victim = scene.random.pick(scene.cluster.gateways)
    await killAndStart(scene, victim)
    return victim.name
  },
}

export const killBusinesses: FaultKind = {
  name: 'kill -9 of the businesses process',
  disturbs: 'processes',
  async inflict(scene) {
    await killAndStart(scene, scene.cluster.businesses)
    return scene.cluster.businesses.name
  },
}

export const freezeContracts: FaultKind = {
  name: 'freeze of a contracts process',
  disturbs: 'processes',
  async inflict(scene) {
    const { victim, named } = await aContractsProcess(scene)
    await freezeAndResume(scene, victim)
    return named
  },
}

export const freezeGateway: FaultKind = {
  name: 'freeze of a gateway',
  disturbs: 'processes',
  async inflict(scene) {
    const victim = scene.random.pick(scene.cluster.gateways)
    await freezeAndResume(scene, victim)
    return victim.name
  },
}

const SECOND = 1_000
const BACK = [-86_400 * SECOND, -3_600 * SECOND, -5 * SECOND]
/** No further for those who date records: what is dated tomorrow would hide what is new in every list from then on. */
const FORTH_WITH_DATES = [5 * SECOND, 20 * SECOND]
const FORTH = [5 * SECOND, 3_600 * SECOND, 86_400 * SECOND]

export const clockJump: FaultKind = {
  name: 'clock jump of a process',
  disturbs: 'processes',
  async inflict(scene) {
    const { contracts, businesses, gateways } = scene.cluster
    const victim = scene.random.pick([...contracts, businesses, ...gateways])
    const forth = contracts.includes(victim) ? FORTH_WITH_DATES : FORTH
    const jump = scene.random.pick([...BACK, ...forth])
    victim.shiftClock(jump)
    await forAWhile(scene)
    victim.shiftClock(0)
    return `${victim.name} by ${jump / SECOND} s`
  },
}

export const upgrade: FaultKind = {
  name: 'upgrade of a contracts process',
  disturbs: 'processes',
  async inflict(scene) {
    const { victim, named } = await aContractsProcess(scene)
    victim.changeVersion()
    await victim.end()
    victim.start()
    await victim.ready()
    return named
  },
}
