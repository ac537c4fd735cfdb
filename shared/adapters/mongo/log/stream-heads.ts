import { LRUCache } from 'lru-cache'

/** Versions of streams that were seen in the log; a stream may have moved on since, but never back. */
export interface StreamHeads {
  /** undefined: not known. */
  get(stream: string): number | undefined
  learn(stream: string, version: number): void
}

/** Remembers the streams that were used last. */
export function createStreamHeads(): StreamHeads {
  const versions = new LRUCache<string, number>({ max: 50_000 })
  return {
    get: (stream) => versions.get(stream),
    learn: (stream, version) => void versions.set(stream, Math.max(versions.get(stream) ?? 0, version)),
  }
}
