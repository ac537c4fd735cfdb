import type { Json } from '../api/json.ts'
import { isAbort } from '../api/problem.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { debounced } from '../lists/debounce.ts'

export interface Option {
  readonly clientId: string
  readonly displayName: string
}

const MAX_OPTIONS = 10
/** How long somebody pauses in typing before clients are searched, in milliseconds. */
const PAUSE = 150

/** Searches clients by name, one text at a time, into a list that opens with what was found. */
export function createClientSearch({ api, signal, announce, update }: PageContext) {
  let options: readonly Option[] = []
  let searching: AbortController | undefined
  let isOpen = false
  /** The index of the option that the keyboard is at; -1: none. */
  let active = -1

  function show(opened: boolean): void {
    isOpen = opened
    active = -1
    update()
  }

  async function search(words: string): Promise<void> {
    searching?.abort()
    const own = new AbortController()
    searching = own
    try {
      const query = { search: words, limit: MAX_OPTIONS }
      const { body } = await api.get('clients', { query, signal: AbortSignal.any([own.signal, signal]) })
      options = body.clients.map(({ clientId, displayName }: Json) => ({ clientId, displayName }))
      announce(foundText(options.length, body.total))
    } catch (error) {
      if (isAbort(error)) return
      options = []
      announce(text('clients.notSearched'))
    }
    show(true)
  }
  const searchSoon = debounced((words: string) => void search(words), PAUSE)

  return {
    found: () => options,
    isOpen: () => isOpen,
    active: () => active,
    search,
    /** Once nobody has typed for a moment. */
    searchSoon,
    /** Goes to the next option or the previous one, from one end to the other. */
    step(by: 1 | -1): void {
      const from = active === -1 && by === -1 ? 0 : active
      active = (from + by + options.length) % Math.max(1, options.length)
      update()
    },
    close(): void {
      // An answer that comes later would open it again.
      searchSoon.cancel()
      searching?.abort()
      show(false)
    },
  }
}

function foundText(shown: number, total: number): string {
  if (total === 0) return text('clients.noneFound')
  return total > shown ? text('clients.someFound', { shown, total }) : text('clients.found', { count: total })
}
