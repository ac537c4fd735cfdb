import { createLoader } from '../frame/loader.ts'
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
  let wanted = ''
  const loader = createLoader(async (signal) => ({ text: wanted, ...(await find(wanted, signal)) }), { signal, update })
  const found = () => loader.value()?.options ?? []
  /** What was found, in words. */
  const said = () => (loader.problem() === undefined ? (loader.value()?.said ?? '') : failed)
  let [isOpen, isAwaited] = [false, false]
  /** The index of the option that the keyboard is at; -1: none. */
  let active = -1

  function show(opened: boolean): void {
    isOpen = opened
    active = -1
    update()
  }

  async function search(text: string): Promise<void> {
    searchSoon.cancel()
    wanted = text
    isAwaited = true
    await loader.load()
    if (!isAwaited || loader.isLoading() || signal.aborted) return
    announce(said())
    show(true)
  }
  const searchSoon = debounced((text: string) => void search(text), PAUSE)

  return {
    found,
    said,
    /** The text that they were found for. */
    searched: () => loader.value()?.text ?? '',
    isOpen: () => isOpen,
    active: () => active,
    search,
    /** Searches once typing pauses. */
    searchSoon,
    /** Goes to the next option or the previous one, from one end to the other. */
    step(by: 1 | -1): void {
      const from = active === -1 && by === -1 ? 0 : active
      const { length } = found()
      active = (from + by + length) % Math.max(1, length)
      update()
    },
    close(): void {
      searchSoon.cancel()
      // An answer that comes later would open it again.
      isAwaited = false
      show(false)
    },
  }
}

export type OptionSearch<Option> = ReturnType<typeof createOptionSearch<Option>>
