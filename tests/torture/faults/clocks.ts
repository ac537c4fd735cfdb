import { waitFor } from '../../support/wait-for.ts'
import { report } from '../load/reports.ts'
import { ALWAYS_OPEN } from '../load/values.ts'
import { create } from '../load/writes.ts'
import type { FaultKind, Scene } from './fault.ts'
import { MAX_WAIT } from './mongods.ts'

const SECOND = 1_000

/**
 * One process is left, with a clock ahead, and started again with the right one. While no other runs, whatever it has
 * answered about a moment is final at once.
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
      // One process alone has the load of all, and the key of the load has a share of what reports take.
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

/** Waits until a write that is begun now is acknowledged. */
export async function untilWritten({ client }: Pick<Scene, 'client'>): Promise<void> {
  const isWritten = async (): Promise<boolean> => (await create(client, { serviceDate: ALWAYS_OPEN })) === 'ok'
  await waitFor(isWritten, { timeout: MAX_WAIT, what: 'a write to be acknowledged', every: 100 })
}
