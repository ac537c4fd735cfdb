import type { History } from '../history.ts'
import type { FeedEvent } from '../history-at-end.ts'

/** Errors in the feed: it must be the union of all histories, each record's in order, however it was read. */
export function violationsOfFeed(history: History): string[] {
  const [feed] = history.feed
  const [end] = history.end
  if (feed === undefined || end === undefined) return ['the feed was not read']
  const records = Map.groupBy(feed.events, ({ kind, subject }) => `${kind} ${subject}`)
  const known = new Set([
    ...end.contracts.map(({ id }) => `contract ${id}`),
    ...end.businessIds.map((id) => `business ${id}`),
    ...(history['closing-history'].some(({ closings }) => closings.length > 0) ? ['closing contracts'] : []),
  ])
  const lengths = [
    ...history['record-history'].map(({ record, events }) => [`contract ${record.id}`, events.length] as const),
    ...history['closing-history'].map(({ closings }) => ['closing contracts', closings.length] as const),
  ]
  return [
    ...[...records].flatMap(([name, events]) => (isGapless(events) ? [] : [`the feed’s events of ${name} have gaps`])),
    ...[...known].flatMap((name) => (records.has(name) ? [] : [`${name} is missing in the feed`])),
    ...[...records.keys()].flatMap((name) => (known.has(name) ? [] : [`${name} is in the feed only`])),
    ...lengths.flatMap(([name, length]) => {
      const count = records.get(name)?.length ?? 0
      return count === length ? [] : [`the feed has ${count} events of ${name}, its history ${length}`]
    }),
    ...differingLogs(feed.events, feed.followed),
  ]
}

const isGapless = (events: readonly FeedEvent[]): boolean => events.every(({ version }, index) => version === index + 1)

/** A follower of a log gets the same events in the same order as a reader at the end. */
function differingLogs(whole: readonly FeedEvent[], followed: readonly FeedEvent[]): string[] {
  const logs = Map.groupBy(whole, ({ source }) => source)
  return [...logs].flatMap(([source, events]) => {
    const positions = events.map(({ position }) => position)
    const seen = followed.filter((event) => event.source === source).map(({ position }) => position)
    const isInOrder = positions.every((position, index) => position > (positions[index - 1] ?? 0))
    return [
      ...(isInOrder ? [] : [`the feed of ${source} is not in the order of its log`]),
      ...(seen.join() === positions.join() ? [] : [`who followed ${source} got other events than the feed has`]),
    ]
  })
}
