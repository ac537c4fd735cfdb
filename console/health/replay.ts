import { text } from '../languages/texts.ts'

/** What a replay did, as the API reports it. */
export interface Replay {
  readonly replayed: readonly { readonly id: string; readonly outcome: string }[]
  readonly remaining: number
}

const OUTCOMES = ['handled', 'set_aside_again', 'too_large', 'not_found'] as const

/**
 * Whether another replay of all would reach more: there are letters left, and the last replay reached some that earlier
 * ones didn't. Letters that are set aside again are queued after those that weren't reached.
 */
export function reachesMore(replays: readonly Replay[]): boolean {
  const last = replays.at(-1)
  if (!last || last.remaining === 0) return false
  const before = new Set(replays.slice(0, -1).flatMap(({ replayed }) => replayed.map(({ id }) => id)))
  return last.replayed.some(({ id }) => !before.has(id))
}

/** What replays did, in a sentence. A message that was reached repeatedly counts once, by its last outcome. */
export function replayText(replays: readonly Replay[]): string {
  const last = new Map(replays.flatMap(({ replayed }) => replayed.map(({ id, outcome }) => [id, outcome])))
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = [...last.values()].filter((one) => one === outcome).length
    return count === 0 ? [] : [text(`health.outcome.${outcome}`, { count })]
  })
  const count = replays.at(-1)?.remaining ?? 0
  const left = count === 0 ? text('health.noneLeft') : text('health.left', { count })
  if (counts.length === 0) return text('health.replayedNothing', { left })
  return text('health.replayed', { outcomes: counts.join('; '), left })
}
