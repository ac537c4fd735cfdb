/** Moves the focus to the heading of a page that was just opened. */
export function focusHeading(root: HTMLElement): void {
  root.querySelector<HTMLElement>('h1')?.focus()
  scrollTo(0, 0)
}

/** Moves the focus to the first element that a selector finds, once the page shows its new state. */
export function focusSoon(selector: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.focus())
}

/**
 * Shows a new state. Browsers take the focus away from what is disabled or removed. Unless something else has it by then,
 * it goes back to what was disabled once that is enabled, and from what was removed to what comes before its place.
 */
export function createFocusKeeper(): (show: () => void) => void {
  let lost: HTMLElement | undefined
  const place = new Range()

  const isBefore = (one: HTMLElement) => place.comparePoint(one, 0) < 0 && one.checkVisibility()

  function lastBefore(): HTMLElement | undefined {
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], summary, [tabindex], :enabled:not(fieldset):not(option)',
    )
    return [...all].findLast(isBefore)
  }

  return (show) => {
    const focused = document.activeElement as HTMLElement
    if (focused !== document.body) place.selectNode(focused)
    show()
    if (!focused.isConnected || focused.matches(':disabled')) lost = focused
    if (!lost || (lost.isConnected && lost.matches(':disabled'))) return
    if (document.activeElement === document.body) (lost.isConnected ? lost : lastBefore())?.focus()
    lost = undefined
  }
}
