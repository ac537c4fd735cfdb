import { setTimeout as pause } from 'node:timers/promises'
import type { FaultKind } from './fault.ts'

/** In milliseconds: by then, newer messages have arrived. */
const REPLAY_DELAY = 10_000

/**
 * Processes are cut off from Kafka for minutes, while businesses are still created and renamed. If only the contracts
 * processes are cut off, all messages of that time are lost, then republished by `relay replay`, after newer ones.
 */
export const kafkaAway: FaultKind = {
  name: 'Kafka away',
  disturbs: 'kafka',
  async inflict({ cluster, random, signal }) {
    const { contracts, businesses, mint } = cluster
    const rest = (milliseconds: number) => pause(milliseconds, undefined, { signal }).catch(() => undefined)
    const isLost = random.chance(0.5)
    const restore = cluster.cutKafka(isLost ? contracts : [...contracts, businesses])
    await rest(random.between(30_000, 180_000))
    if (isLost) await cluster.loseMessages()
    restore()
    if (!isLost) return 'from all'
    await rest(REPLAY_DELAY)
    const { exitCode } = await mint('relay', 'replay')
    return `from contracts processes, all messages lost; replayed: ${exitCode}`
  },
}
