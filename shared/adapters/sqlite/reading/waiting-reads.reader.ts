const isShort = (kind: string): boolean => kind === 'list' || kind === 'scan'

/**
 * Takes the next read that may begin while reads of these kinds are under way; undefined when none may. Reports run one
 * at a time: one of a million rows takes 100 MB, and `sumsAt` relies on whatever was added up before being of an earlier
 * snapshot. Lists, and scans of the log, never wait for them.
 */
export function takeNext<Request extends { readonly kind: string }>(waiting: Request[], underWay: readonly string[]) {
  const mayBegin = underWay.every(isShort) ? () => true : isShort
  const index = waiting.findIndex(({ kind }) => mayBegin(kind))
  return index < 0 ? undefined : waiting.splice(index, 1)[0]
}
