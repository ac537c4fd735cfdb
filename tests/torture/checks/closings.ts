import type { History, Moment } from '../history.ts'
import type { Closing, SetClosing } from '../history-of-closings.ts'
import { earliestIn } from './deposed.ts'
import { type RecordOperation, times } from './per-record.ts'

const RECORD = 'closing'

/** The operations on the closing, for the Porcupine program: one register that many clients set and read. */
export function* operationsOnClosing(history: History): Iterable<RecordOperation> {
  const earliestOf = earliestIn(history.deposed)
  const shown = (closing: Closing & { version: number }, call: number, end: number) =>
    ({ record: RECORD, op: 'show', ...times(call, end), version: closing.version, closing: named(closing) }) as const
  for (const set of history['set-closing']) yield* setOf(set, history, earliestOf)
  for (const get of history['get-closing']) yield shown(get.closing, earliestOf(get), get.return)
  for (const { closings, call, return: end } of history['closing-history']) {
    const last = closings.at(-1)
    if (last !== undefined) yield shown(last, call, end)
  }
}

/** An acknowledged set must be current even if it changed nothing: no deposed primary excuses it. */
function* setOf(
  set: SetClosing,
  history: History,
  earliestOf: ReturnType<typeof earliestIn>,
): Iterable<RecordOperation> {
  const { call, outcome, refusal, version = 0, asked, ifMatch = 0 } = set
  const operation = { record: RECORD, op: 'set', closing: named(asked), ifMatch } as const
  if (outcome === 'ok') yield { ...operation, ...times(call, set.return), version }
  else if (refusal !== undefined) yield { ...operation, ...times(earliestOf(set), set.return), refusal }
  else if (outcome === 'unknown') {
    const possible = versionsOf(asked, history)
    const [only = 0, ...others] = possible
    if (possible.length > 0) {
      yield { ...operation, ...times(call, undefined), version: others.length === 0 ? only : 0 }
    }
  }
}

/**
 * The versions that a closing of unknown outcome may have become: those that no other call made. A call acknowledged with
 * a version that had been seen before it began changed nothing.
 */
function versionsOf({ reason }: Closing, history: History): number[] {
  const sets = history['set-closing'].filter(({ asked }) => asked.reason === reason)
  const taken = sets.filter((set) => set.call < firstSeen(set.version, history)).map(({ version }) => version)
  const versions = (history['closing-history'][0]?.closings ?? [])
    .filter((closing) => closing.reason === reason && !taken.includes(closing.version))
    .map(({ version }) => version)
  // Of several with the same values, it is unknown which one took effect.
  return sets.filter(({ outcome }) => outcome === 'unknown').length > 1 ? [...versions, ...versions] : versions
}

/** When the first answer with a version arrived. */
function firstSeen(version: number | undefined, history: History): Moment {
  const reads = history['get-closing'].filter(({ closing }) => closing.version === version)
  const sets = history['set-closing'].filter((set) => set.version === version)
  return Math.min(...[...reads, ...sets].map((answered) => answered.return))
}

/** If nothing is closed, the text is empty. */
const named = ({ closedThrough, reason }: Closing) => ({ closedThrough: closedThrough ?? '', reason })
