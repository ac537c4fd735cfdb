/** A part of the feed: what is after a cursor, between two times. They are inclusive, in milliseconds since the epoch. */
export interface FeedSpan {
  /** undefined: the beginning of the feed. */
  readonly after?: string
  readonly since: number
  readonly until: number
}

/** A page of a span, oldest first. */
export interface FeedPage<Event> {
  readonly events: readonly Event[]
  readonly next: string
  readonly more: boolean
}

/**
 * The events of a span, newest first, a page at a time, each read once. The feed is read forwards only: what follows a
 * page is read in two halves of its time, the later one first.
 */
export async function* newestFirst<Event extends { readonly time: string }>(
  read: (span: FeedSpan) => Promise<FeedPage<Event>>,
  span: FeedSpan,
): AsyncGenerator<readonly Event[]> {
  const { since, until } = span
  const { events, next: after, more } = await read(span)
  if (more) {
    const latest = Math.max(...events.map(({ time }) => Date.parse(time)))
    const middle = events.length === 0 ? until : Math.min(until, latest + Math.ceil((until - latest) / 2))
    if (middle < until) yield* newestFirst(read, { after, since: middle + 1, until })
    yield* newestFirst(read, { after, since, until: middle })
  }
  yield events.toReversed()
}
