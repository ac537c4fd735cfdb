import { LRUCache } from 'lru-cache'

/** Versions of streams that were seen in the log; a stream may have moved on since, but never back. */
export type StreamHeads = ReturnType<typeof createStreamHeads>

/** Remembers the streams that were used last. */
export function createStreamHeads() {
  const versions = new LRUCache<string, number>({ max: 50_000 })
  return {
    /** undefined: not known. */
    get: (stream: string) => versions.get(stream),
    learn: (stream: string, version: number) => void versions.set(stream, Math.max(versions.get(stream) ?? 0, version)),
  }
}
