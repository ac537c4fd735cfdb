/** Keys that work wherever nobody is typing. */
export interface Shortcuts {
  areOn(): boolean
  turn(isOn: boolean): void
}

/**
 * Has keys press whatever says in aria-keyshortcuts that they do; where nothing on the page does, `pressed` gets them.
 * Keys of one character can be turned off, as those who speak to their computer need (WCAG 2.1.4).
 */
export function createShortcuts(pressed: (key: string) => void): Shortcuts {
  let isOn = true

  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (key !== 'Escape' && (!isOn || key.length > 1 || isTyping(target))) return
    // The page's own is after that of the header.
    const control = [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].findLast(
      (element) => element.getAttribute('aria-keyshortcuts') === key && element.checkVisibility(),
    )
    if (!control) return pressed(key)
    event.preventDefault()
    if (isTyping(control)) control.focus()
    else control.click()
  })

  return { areOn: () => isOn, turn: (next) => (isOn = next) }
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), select, textarea')
