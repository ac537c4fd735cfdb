import { waitFor } from '../../support/wait-for.ts'
import { report } from '../load/reports.ts'
import { ALWAYS_OPEN } from '../load/values.ts'
import { create } from '../load/writes.ts'
import type { FaultKind, Scene } from './fault.ts'
import { MAX_WAIT } from './mongods.ts'

const SECOND = 1_000

/**
 * Only one process is left running, with its clock ahead, and is restarted with the right time. While no other process
 * runs, its answers about any moment are final immediately.
 */
export const restartWithOtherClock: FaultKind = {
  name: 'restart with another clock',
  disturbs: 'everything',
  async inflict(scene) {
    const { cluster, random } = scene
    const victim = random.pick(cluster.contracts)
    const others = cluster.contracts.filter((one) => one !== victim)
    await Promise.all(others.map((one) => one.kill()))
    const ahead = random.between(10, 20) * SECOND
    victim.shiftClock(ahead)
    await untilWritten(scene)
    await victim.kill()
    victim.start()
    await victim.ready()
    const asOf = await waitFor(() => report(scene.client, { query: '', asOf: undefined, isFinal: true }), {
      // This process has the whole load, and the load's key gets only a share of the capacity for reports.
      timeout: 2 * MAX_WAIT,
      what: 'a report after the restart',
      every: 100,
    })
    await untilWritten(scene)
    await report(scene.client, { query: '', asOf, isFinal: true })
    for (const one of others) one.start()
    await Promise.all(others.map((one) => one.ready()))
    return `${victim.name} by ${ahead / SECOND} s`
  },
}

/** Waits until a write that begins now is acknowledged. */
export async function untilWritten({ client }: Pick<Scene, 'client'>): Promise<void> {
  const isWritten = async (): Promise<boolean> => (await create(client, { serviceDate: ALWAYS_OPEN })) === 'ok'
  await waitFor(isWritten, { timeout: MAX_WAIT, what: 'a write to be acknowledged', every: 100 })
}
