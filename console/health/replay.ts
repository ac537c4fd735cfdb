/** What a replay did, as the API says it. */
export interface Replay {
  readonly replayed: readonly { readonly id: string; readonly outcome: string }[]
  readonly remaining: number
}

const OUTCOMES: readonly (readonly [outcome: string, label: string])[] = [
  ['handled', 'handled'],
  ['set_aside_again', 'set aside again, as they still can’t be handled'],
  ['too_large', 'too large to be replayed'],
  ['not_found', 'gone already'],
]

/**
 * Whether another replay of all would reach more: there are letters left, and the last one named some that those before
 * it didn't. Letters that are set aside again go behind those that weren't reached.
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
  const counts = OUTCOMES.map(([outcome, label]) => {
    const count = [...last.values()].filter((one) => one === outcome).length
    return count === 0 ? '' : `${count} ${label}`
  }).filter((text) => text !== '')
  const remaining = replays.at(-1)?.remaining ?? 0
  const left = remaining === 0 ? 'None are left.' : remaining === 1 ? 'One is left.' : `${remaining} are left.`
  return `Replayed: ${counts.join('; ') || 'nothing'}. ${left}`
}
