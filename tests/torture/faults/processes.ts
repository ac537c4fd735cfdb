import type { Member } from '../cluster/member.ts'
import { aContractsProcess, type FaultKind, forAWhile, type Scene } from './fault.ts'

/** kill -9, and a new process shortly after. */
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

/** A fault of one process, picked at random each time and named in the report. */
const faultOf = (
  name: string,
  choose: (scene: Scene) => Promise<{ readonly victim: Member; readonly named: string }>,
  harm: (scene: Scene, victim: Member) => Promise<void>,
): FaultKind => ({
  name,
  disturbs: 'processes',
  async inflict(scene) {
    const { victim, named } = await choose(scene)
    await harm(scene, victim)
    return named
  },
})

const named = (victim: Member) => ({ victim, named: victim.name })
const aGateway = async ({ random, cluster }: Scene) => named(random.pick(cluster.gateways))
const theBusinesses = async ({ cluster }: Scene) => named(cluster.businesses)

export const killContracts = faultOf('kill -9 of a contracts process', aContractsProcess, killAndStart)
export const killGateway = faultOf('kill -9 of a gateway', aGateway, killAndStart)
export const killBusinesses = faultOf('kill -9 of the businesses process', theBusinesses, killAndStart)
export const freezeContracts = faultOf('freeze of a contracts process', aContractsProcess, freezeAndResume)
export const freezeGateway = faultOf('freeze of a gateway', aGateway, freezeAndResume)

const SECOND = 1_000
const BACKWARD = [-86_400 * SECOND, -3_600 * SECOND, -5 * SECOND]
/** Small for processes that date records: one dated tomorrow would hide every newer record in lists. */
const FORWARD_WITH_DATES = [5 * SECOND, 20 * SECOND]
const FORWARD = [5 * SECOND, 3_600 * SECOND, 86_400 * SECOND]

export const clockJump: FaultKind = {
  name: 'clock jump of a process',
  disturbs: 'processes',
  async inflict(scene) {
    const { contracts, businesses, gateways } = scene.cluster
    const victim = scene.random.pick([...contracts, businesses, ...gateways])
    const forward = victim === businesses || contracts.includes(victim) ? FORWARD_WITH_DATES : FORWARD
    const jump = scene.random.pick([...BACKWARD, ...forward])
    victim.shiftClock(jump)
    await forAWhile(scene)
    victim.shiftClock(0)
    return `${victim.name} by ${jump / SECOND} s`
  },
}

export const upgrade = faultOf('upgrade of a contracts process', aContractsProcess, async (_scene, victim) => {
  victim.changeVersion()
  await victim.end()
  victim.start()
  await victim.ready()
})
