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
 * Shows a new state. What had the focus when it was disabled gets it back with the state that enables it, unless something
 * else has it by then: browsers take it away.
 */
export function createFocusKeeper(): (show: () => void) => void {
  let disabled: HTMLElement | undefined
  return (show) => {
    const focused = document.activeElement as HTMLElement | null
    show()
    if (focused?.matches(':disabled')) disabled = focused
    if (!disabled || disabled.matches(':disabled')) return
    if (document.activeElement === document.body) disabled.focus()
    disabled = undefined
  }
}
