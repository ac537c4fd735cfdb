/** Keys that work except while somebody is typing. */
export interface Shortcuts {
  areOn(): boolean
  turn(isOn: boolean): void
}

/**
 * A key activates the element that declares it in aria-keyshortcuts; `pressed` gets keys that no element declares.
 * Single-character keys can be turned off, which people who use speech input need (WCAG 2.1.4).
 */
export function createShortcuts(pressed: (key: string) => void): Shortcuts {
  let isOn = true

  addEventListener('keydown', (event) => {
    const { key, target } = event
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if (key !== 'Escape' && (!isOn || key.length > 1 || isTyping(target))) return
    // The last one: the page's own control comes after the header's.
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
