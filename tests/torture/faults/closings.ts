import { setTimeout as pause } from 'node:timers/promises'
import { newClosing, setClosing } from '../load/closings.ts'
import { CLOSED_AT_TIMES, ENDS } from '../load/values.ts'
import { create } from '../load/writes.ts'
import { untilWritten } from './clocks.ts'
import { aContractsProcess, doorOf, type FaultKind } from './fault.ts'

/**
 * A process is frozen during writes to open months; meanwhile these are closed and reopened through another process.
 * A write refused while they were closed must stay refused when the frozen process resumes.
 */
export const closeWhileFrozen: FaultKind = {
  name: 'closing while a contracts process is frozen',
  disturbs: 'processes',
  async inflict(scene) {
    const { cluster, client, random } = scene
    const victim = (await scene.appender()) ?? (await aContractsProcess(scene)).victim
    const others = cluster.contracts.filter((one) => one !== victim)
    const through = { door: () => doorOf(cluster, random.pick(others)) }
    await setClosing(client, newClosing(client, null), through)
    victim.freeze()
    await pause(random.between(200, 800))
    await setClosing(client, newClosing(client, ENDS[2] ?? null), through)
    // By now another process appends, the gateways have resent the same requests to it, and none has given up.
    await pause(random.between(2_000, 2_500))
    await setClosing(client, newClosing(client, null), through)
    victim.resume()
    return victim.name
  },
}

/**
 * During a lull, the books are closed again through a process that doesn't append. The appending process learns of it
 * only by a refusal, and must continue with everything else.
 */
export const closeInALull: FaultKind = {
  name: 'closing in a lull',
  disturbs: 'everything',
  async inflict(scene) {
    const { cluster, client, random } = scene
    const appender = await scene.appender()
    const others = cluster.contracts.filter((one) => one !== appender)
    const close = () =>
      setClosing(client, newClosing(client, ENDS[2] ?? null), { door: () => doorOf(cluster, random.pick(others)) })
    // Refusals without a key write nothing; one of these requests reaches the appending process.
    const createClosed = async (): Promise<void> => {
      for (const serviceDate of CLOSED_AT_TIMES) await create(client, { serviceDate, isKeyed: false })
    }
    await scene.inALull(async () => {
      await close()
      await untilWritten(scene)
      await createClosed()
      await close()
      await createClosed()
      await untilWritten(scene)
    })
    return appender?.name ?? 'nobody appended'
  },
}
