import { LRUCache } from 'lru-cache'

/** Stream versions seen in the log; a stream may have advanced since, but never gone back. */
export interface StreamHeads {
  /** undefined when unknown. */
  get(stream: string): number | undefined
  learn(stream: string, version: number): void
}

/** Remembers the most recently used streams. */
export function createStreamHeads(): StreamHeads {
  const versions = new LRUCache<string, number>({ max: 50_000 })
  return {
    get: (stream) => versions.get(stream),
    learn: (stream, version) => void versions.set(stream, Math.max(versions.get(stream) ?? 0, version)),
  }
}
