/** Versions of streams that were seen in the log; a stream may have moved on since, but never back. */
export interface StreamHeads {
  /** undefined: not known. */
  get(stream: string): number | undefined
  learn(stream: string, version: number): void
}

/** Remembers the streams that were used last, at the most `capacity` of them. */
export function createStreamHeads(capacity = 50_000): StreamHeads {
  const versions = new Map<string, number>()
  return {
    get: (stream) => versions.get(stream),
    learn(stream, version) {
      const known = versions.get(stream) ?? 0
      versions.delete(stream)
      versions.set(stream, Math.max(known, version))
      if (versions.size <= capacity) return
      for (const oldest of versions.keys()) {
        versions.delete(oldest)
        return
      }
    },
  }
}
