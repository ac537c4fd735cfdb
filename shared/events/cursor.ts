import { crc32 } from 'node:zlib'
import { type AuthoredEvent, BEGINNING, type Position } from '../event-sourcing/event.ts'
import type { EventStore } from '../event-sourcing/ports/event-store.ts'
import { invalidRequest } from '../fields/check.ts'
import type { ViolationCode } from '../fields/rule.ts'

/** The cursor before a log's first event; an empty text means the same. */
const FIRST_CURSOR = '0'

/**
 * The cursor after an event: its position, and a check of what is there. Exports and imports keep both. In another log,
 * or in this one after it was restored to an earlier state and went on otherwise, something else is at that position.
 */
export function cursorAfter({ position, stream, version, type, at, by }: AuthoredEvent): string {
  const { category, id } = stream
  return `${position}.${crc32(`${category}/${id} ${version} ${type} ${at} ${by}`).toString(36)}`
}

/** The position of a cursor, whatever log it is of; of the beginning for one that is none. */
export const positionIn = (cursor: string): Position =>
  Number(/^(\d{1,15})(\.|$)/.exec(cursor)?.[1] ?? BEGINNING) as Position

/** The cursor after a position of the log. */
export async function cursorAt(position: Position, events: Pick<EventStore, 'readAll'>): Promise<string> {
  const event = await eventAt(position, events)
  return event === undefined ? FIRST_CURSOR : cursorAfter(event)
}

/** The position of a cursor. Throws validation_failed for one that is not of this log. */
export async function positionOf(cursor: string, events: Pick<EventStore, 'readAll'>): Promise<Position> {
  if (cursor === '' || cursor === FIRST_CURSOR) return BEGINNING
  const position = positionIn(cursor)
  if (cursor === (await cursorAt(position, events))) return position
  throw unknownCursor()
}

/** For a cursor that no answer of this Mint has given, or that its log has since been restored to before. */
export function unknownCursor(): Error {
  const message =
    'Not a cursor of this Mint’s events as they are now: its data may have been restored from a backup. Give the `next` of an earlier answer, `now`, or leave it out to begin again.'
  return invalidRequest([{ pointer: '/after', code: 'unknown_cursor' satisfies ViolationCode, message }])
}

async function eventAt(position: Position, events: Pick<EventStore, 'readAll'>): Promise<AuthoredEvent | undefined> {
  if (position <= BEGINNING) return undefined
  const [event] = await events.readAll((position - 1) as Position, 1)
  return event
}
