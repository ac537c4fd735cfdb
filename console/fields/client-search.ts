import type { Json } from '../api/json.ts'
import { isAbort } from '../api/problem.ts'
import type { PageContext } from '../frame/page.ts'
import { debounced } from '../lists/debounce.ts'

export interface Option {
  readonly clientId: string
  readonly displayName: string
}

const MAX_OPTIONS = 10
/** How long somebody pauses in typing before clients are searched, in milliseconds. */
const PAUSE = 150
export const NONE = 'No client has this in its name.'

/** Searches clients by name, one text at a time. `ended` is called after each search that was not stopped. */
export function createClientSearch(
  { api, signal, announce }: Pick<PageContext, 'api' | 'signal' | 'announce'>,
  ended: () => void,
) {
  let options: readonly Option[] = []
  let searching: AbortController | undefined

  async function search(text: string): Promise<void> {
    searching?.abort()
    const own = new AbortController()
    searching = own
    try {
      const { body } = await api.get('clients', {
        query: { search: text, limit: MAX_OPTIONS },
        signal: AbortSignal.any([own.signal, signal]),
      })
      options = body.clients.map(({ clientId, displayName }: Json) => ({ clientId, displayName }))
      announce(foundText(options.length, body.total))
    } catch (error) {
      if (isAbort(error)) return
      options = []
      announce('Clients can’t be searched now.')
    }
    ended()
  }
  const searchSoon = debounced((text: string) => void search(text), PAUSE)

  return {
    found: () => options,
    search,
    /** Once nobody has typed for a moment. */
    searchSoon,
    stop(): void {
      searchSoon.cancel()
      searching?.abort()
    },
  }
}

function foundText(shown: number, total: number): string {
  if (total === 0) return NONE
  return total > shown ? `${shown} of ${total} clients. Type more to narrow them down.` : `${total} clients.`
}
