import { isAbort } from '../api/problem.ts'
import type { PageContext } from '../frame/page.ts'
import { debounced } from '../lists/debounce.ts'

/** How long after the last keystroke options are searched, in milliseconds. */
const PAUSE = 150

interface SearchOptions<Option> {
  /** Finds the options for a text, and says how many there are, in words. */
  readonly find: (text: string, signal: AbortSignal) => Promise<{ options: readonly Option[]; said: string }>
  /** What is said if that fails. */
  readonly failed: string
}

/** Searches options, for one text at a time, into a list that opens with what was found. */
export function createOptionSearch<Option>(
  { signal, announce, update }: Pick<PageContext, 'signal' | 'announce' | 'update'>,
  { find, failed }: SearchOptions<Option>,
) {
  let options: readonly Option[] = []
  let searching: AbortController | undefined
  let [isOpen, said, searched] = [false, '', '']
  /** The index of the option that the keyboard is at; -1: none. */
  let active = -1

  function show(opened: boolean): void {
    isOpen = opened
    active = -1
    update()
  }

  async function search(text: string): Promise<void> {
    searchSoon.cancel()
    searching?.abort()
    const own = new AbortController()
    searching = own
    try {
      const found = await find(text, AbortSignal.any([own.signal, signal]))
      if (searching !== own) return
      ;({ options, said } = found)
      searched = text
    } catch (error) {
      if (isAbort(error)) return
      ;[options, said] = [[], failed]
    }
    announce(said)
    show(true)
  }
  const searchSoon = debounced((text: string) => void search(text), PAUSE)

  return {
    found: () => options,
    /** The text that they were found for. */
    searched: () => searched,
    /** What was found, in words. */
    said: () => said,
    isOpen: () => isOpen,
    active: () => active,
    search,
    /** Searches once typing pauses. */
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

export type OptionSearch<Option> = ReturnType<typeof createOptionSearch<Option>>
