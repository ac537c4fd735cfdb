/**
 * Texts that the browser stores by name; undefined: nothing. If it blocks its storage, as it does together with cookies, or
 * has no room, the page remembers them until it is left.
 */
function storedIn(storage: () => Storage) {
  const remembered = new Map<string, string | undefined>()
  return {
    get(name: string): string | undefined {
      if (remembered.has(name)) return remembered.get(name)
      try {
        return storage().getItem(name) ?? undefined
      } catch {
        return undefined
      }
    },
    set(name: string, value: string | undefined): void {
      remembered.delete(name)
      try {
        if (value === undefined) storage().removeItem(name)
        else storage().setItem(name, value)
      } catch {
        remembered.set(name, value)
      }
    },
  }
}

/** For this tab alone, until it is closed. */
export const inTab = storedIn(() => sessionStorage)

/** For all tabs, for good. */
export const inBrowser = storedIn(() => localStorage)
