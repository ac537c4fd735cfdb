interface GuardOptions {
  /** Whether the page may be left for the address in the window now. */
  readonly mayLeave: () => boolean
  readonly hasUnsavedInput: () => boolean
  readonly changed: () => void
}

/**
 * Follows the hash of the address, and asks before unsaved input is lost by leaving.
 * Browsers report a hash only after it has changed, so a refused step is undone: each entry of the history carries its
 * number, which says how many steps to go back or forward.
 */
export function guardHistory({ mayLeave, hasUnsavedInput, changed }: GuardOptions) {
  let here: number = history.state?.index ?? 0
  history.replaceState({ index: here }, '')
  const stepsToUnnumbered = followSteps()

  addEventListener('hashchange', () => {
    const index: number = history.state?.index ?? here + stepsToUnnumbered()
    if (history.state?.index === undefined) history.replaceState({ index }, '')
    // A refused step has been undone.
    if (index === here) return
    if (!mayLeave()) return history.go(here - index)
    here = index
    changed()
  })
  addEventListener('beforeunload', (event) => {
    if (hasUnsavedInput()) event.preventDefault()
  })

  return {
    /**
     * Changes the hash without asking, because the page stays open. Returns whether it did: not once the user has left for
     * another address, which browsers report later.
     */
    set(hash: string, how: 'push' | 'replace'): boolean {
      if (history.state?.index !== here) return false
      if (how === 'push') history.pushState({ index: ++here }, '', hash)
      else history.replaceState({ index: here }, '', hash)
      return true
    },
  }
}

/**
 * How many steps away an entry without a number is. It is new, one step forward, or older than this script; a browser
 * without the Navigation API can’t tell, and it counts as new.
 */
function followSteps(): () => number {
  let steps = 1
  const { navigation }: { navigation?: Navigation } = globalThis
  navigation?.addEventListener('currententrychange', ({ navigationType, from }) => {
    if (navigationType === 'replace') return
    const { index = from.index } = navigation.currentEntry ?? {}
    steps = navigationType === 'traverse' ? index - from.index : 1
  })
  return () => steps
}

export type HistoryGuard = ReturnType<typeof guardHistory>
