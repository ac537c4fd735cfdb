import { LRUCache } from 'lru-cache'

/** Stream versions seen in the log: a stream may have advanced since, but can't have gone back. */
export type StreamHeads = ReturnType<typeof createStreamHeads>

/** Remembers the most recently used streams. */
export function createStreamHeads() {
  const versions = new LRUCache<string, number>({ max: 50_000 })
  return {
    /** undefined when unknown. */
    get: (stream: string) => versions.get(stream),
    learn: (stream: string, version: number) => void versions.set(stream, Math.max(versions.get(stream) ?? 0, version)),
  }
}
