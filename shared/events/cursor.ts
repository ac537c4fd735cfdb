import { crc32 } from 'node:zlib'
import { type AuthoredEvent, BEGINNING, type Position } from '../event-sourcing/event.ts'
import type { EventStore } from '../event-sourcing/ports/event-store.ts'
import { invalidRequest } from '../fields/check.ts'
import type { ViolationCode } from '../fields/rule.ts'

/** The cursor before the first event of a log, like an empty text. */
export const FIRST_CURSOR = '0'

/**
 * The cursor after an event: its position and a checksum, which exports and imports preserve. The checksum differs in
 * another log, and in this one if it was restored to an earlier state and other events were appended since.
 */
export function cursorAfter({ position, stream, version, type, at, by }: AuthoredEvent): string {
  const { category, id } = stream
  return `${position}.${crc32(`${category}/${id} ${version} ${type} ${at} ${by}`).toString(36)}`
}

/** The position in a cursor of any log; BEGINNING for a text that is no cursor. */
export const positionIn = (cursor: string): Position =>
  Number(/^(\d{1,15})(\.|$)/.exec(cursor)?.[1] ?? BEGINNING) as Position

/** The cursor after a position of the log. */
export async function cursorAt(position: Position, events: Pick<EventStore, 'readAll'>): Promise<string> {
  if (position <= BEGINNING) return FIRST_CURSOR
  const [event] = await events.readAll((position - 1) as Position, 1)
  return event === undefined ? FIRST_CURSOR : cursorAfter(event)
}

/** The position of a cursor. Throws validation_failed if it is not from this log. */
export async function positionOf(cursor: string, events: Pick<EventStore, 'readAll'>): Promise<Position> {
  if (cursor === '' || cursor === FIRST_CURSOR) return BEGINNING
  const position = positionIn(cursor)
  if (cursor === (await cursorAt(position, events))) return position
  throw unknownCursor()
}

/** The error for a cursor that this Mint never returned, or that is ahead of its restored log. */
export function unknownCursor(): Error {
  const message =
    'Not a cursor of this Mint’s events; its data may have been restored from a backup. Give the `next` of a recent answer, or `now` (over gRPC, the cursor of GetLatestCursor), or leave it out to start from the beginning.'
  return invalidRequest([{ pointer: '/after', code: 'unknown_cursor' satisfies ViolationCode, message }])
}
