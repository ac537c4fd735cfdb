import type { Create, Edit, History, Moment } from '../history.ts'
import { earliestIn } from './deposed.ts'

/**
 * Writes that succeeded although one of their dates was closed throughout the call, and writes that were refused
 * although all of their dates were open throughout.
 */
export function violationsOfClosedDates(history: History): string[] {
  const periods = periodsIn(history)
  const earliestOf = earliestIn(history.deposed)
  const datesOf = datesInHistories(history)
  const check = (write: Create | Edit, name: string, needed: readonly string[], found: readonly string[]): string[] => {
    const { call, return: end, outcome, refusal } = write
    const during = (from: Moment) => periods.filter((period) => period.from <= end && period.to >= from)
    const [date, any] = [earliest(needed), earliest(found)]
    if (outcome === 'ok' && during(call).every(({ closedThrough }) => date <= closedThrough)) {
      return [`${name} was done from ${call.toFixed(3)} to ${end.toFixed(3)} ms, when ${date} was closed`]
    }
    if (refusal === 'period_closed' && during(earliestOf(write)).every(({ closedThrough }) => any > closedThrough)) {
      return [`${name} was refused from ${call.toFixed(3)} to ${end.toFixed(3)} ms, when ${any} was open`]
    }
    return []
  }
  return [
    ...history.create.flatMap((create) => {
      const { serviceName, serviceDate } = create.asked
      return check(create, `contract ${serviceName}`, [serviceDate], [serviceDate])
    }),
    ...history.edit.flatMap((edit) => {
      const { id, changes, record } = edit
      const given = changes.serviceDate === undefined ? [] : [changes.serviceDate]
      const dates = datesOf.get(id) ?? []
      // The version that a refused edit found isn't known.
      const replaced = record === undefined ? [] : dates.slice(record.version - 2, record.version - 1)
      const name = `the edit ${JSON.stringify(changes)} of contract ${id}`
      return check(edit, name, [...given, ...replaced], [...given, ...dates])
    }),
  ]
}

interface Period {
  /** Empty: nothing is closed; sorts before every date. */
  readonly closedThrough: string
  /** The earliest start and the latest end. */
  readonly from: Moment
  readonly to: Moment
}

/**
 * When each closing may have been in effect: from its request, and the last call that saw an earlier one, until the
 * first that saw a later one.
 */
function periodsIn(history: History): readonly Period[] {
  const earliestOf = earliestIn(history.deposed)
  const askedFirst = new Map<string, Moment>()
  for (const { asked, call } of history['set-closing'].toSorted((one, other) => other.call - one.call)) {
    askedFirst.set(asked.reason, call)
  }
  const seen = [
    ...history['set-closing'].flatMap(({ version, ...set }) => (version ? [{ ...set, version }] : [])),
    ...history['get-closing'].map((get) => ({ ...get, call: earliestOf(get), version: get.closing.version })),
  ]
  const closings = [{ version: 0, closedThrough: null, reason: '' }, ...(history['closing-history'][0]?.closings ?? [])]
  return closings.map(({ version, closedThrough, reason }) => ({
    closedThrough: closedThrough ?? '',
    from: seen.reduce(
      (latest, one) => (one.version < version ? Math.max(latest, one.call) : latest),
      askedFirst.get(reason) ?? 0,
    ),
    to: seen.reduce(
      (first, one) => (one.version > version ? Math.min(first, one.return) : first),
      Number.POSITIVE_INFINITY,
    ),
  }))
}

/** The date of each version, for each record whose history was read at the end. */
function datesInHistories(history: History): ReadonlyMap<number, readonly string[]> {
  return new Map(
    history['record-history'].map(({ record, events }) => {
      let date = ''
      return [
        record.id,
        events.map(({ data }) => {
          date = data.serviceDate ?? date
          return date
        }),
      ]
    }),
  )
}

const NEVER_CLOSED = '9999-12-31'

const earliest = (dates: readonly string[]): string => dates.toSorted()[0] ?? NEVER_CLOSED
