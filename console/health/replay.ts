import { text } from '../languages/texts.ts'

const OUTCOMES = ['handled', 'set_aside_again', 'too_large', 'not_found'] as const

/** What replays did, in a sentence: the last outcome of each message, and how many are left. */
export function replayText(outcomes: ReadonlyMap<string, string>, remaining: number): string {
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = [...outcomes.values()].filter((one) => one === outcome).length
    return count === 0 ? [] : [text(`health.outcome.${outcome}`, { count })]
  })
  const left = remaining === 0 ? text('health.noneLeft') : text('health.left', { count: remaining })
  if (counts.length === 0) return text('health.replayedNothing', { left })
  return text('health.replayed', { outcomes: counts.join('; '), left })
}
