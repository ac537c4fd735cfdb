/** Moves the focus to the heading of a page that was just opened. */
export function focusHeading(root: HTMLElement): void {
  root.querySelector<HTMLElement>('h1')?.focus()
  scrollTo(0, 0)
}

/** Moves the focus to the first element that a selector finds, once the page shows its new state. */
export function focusSoon(selector: string): void {
  queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.focus())
}
