import { text } from '../languages/texts.ts'

interface GuardOptions {
  /** Whether the address in the window now is that of another page, and unsaved input would be lost. */
  readonly wouldLoseInput: () => boolean
  readonly hasUnsavedInput: () => boolean
  readonly changed: () => void
}

/** Asks whether to lose what was typed. */
export const confirmLeaving = (): boolean => confirm(text('frame.leaveQuestion'))

/**
 * Follows the hash of the address, and asks before unsaved input is lost by leaving.
 * Browsers report a hash only after it has changed, so a refused step is undone: each entry of the history carries its
 * number, which says how many steps to go back or forward.
 */
export function guardHistory({ wouldLoseInput, hasUnsavedInput, changed }: GuardOptions) {
  let here: number = history.state?.index ?? 0
  history.replaceState({ index: here }, '')

  addEventListener('hashchange', () => {
    // An entry without a number is new.
    const index: number = history.state?.index ?? here + 1
    if (history.state?.index === undefined) history.replaceState({ index }, '')
    // A refused step has been undone.
    if (index === here) return
    if (wouldLoseInput() && !confirmLeaving()) return history.go(here - index)
    here = index
    changed()
  })
  addEventListener('beforeunload', (event) => {
    if (hasUnsavedInput()) event.preventDefault()
  })

  return {
    /** Changes the hash without asking, because the page stays open. */
    set(hash: string, how: 'push' | 'replace'): void {
      if (how === 'push') history.pushState({ index: ++here }, '', hash)
      else history.replaceState({ index: here }, '', hash)
    },
  }
}

export type HistoryGuard = ReturnType<typeof guardHistory>
