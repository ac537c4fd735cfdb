const isShort = (kind: string): boolean => kind === 'list' || kind === 'scan'

/**
 * Takes the next read that may start while reads of these kinds are running; undefined when none may. Reports run one
 * at a time: one of a million rows takes 100 MB, and `sumsAt` relies on cached sums being of an earlier snapshot.
 * Lists, and scans of the log, never wait for them.
 */
export function takeNext<Request extends { readonly kind: string }>(waiting: Request[], running: readonly string[]) {
  const mayStart = running.every(isShort) ? () => true : isShort
  const index = waiting.findIndex(({ kind }) => mayStart(kind))
  return index < 0 ? undefined : waiting.splice(index, 1)[0]
}
