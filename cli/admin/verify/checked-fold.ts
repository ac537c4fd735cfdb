import { totalWithTax } from '../../../services/contracts/contract/decide.ts'
import type { Contract } from '../../../services/contracts/contract/evolve.ts'
import type { LogEvent, Position, StreamName } from '../../../shared/event-sourcing/event.ts'
import type { AnyViewDefinition, Versioned, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import type { FoldBatch } from '../../../shared/event-sourcing/projector.ts'
import { hasShapes, whyUnreadable } from '../log-shapes.ts'
import type { Difference, Findings } from './findings.ts'

/** Checks that an event and the state after it agree; undefined: they do. */
type Rule = (state: never, event: LogEvent) => Pick<Difference, 'kind' | 'message'> | undefined

interface Checks {
  readonly findings: Findings
  /** Called with each version of each stream. */
  readonly onVersion: (row: ViewRow, position: Position) => void
}

/** Folds the streams of one category like `foldBatch`, but where that would throw, adds a finding and continues. */
export function foldChecked({ findings, onVersion }: Checks) {
  /** Ids of streams with an event that can't be folded. */
  const unreadable = new Set<string>()
  let [count, highest] = [0, 0]
  /** The rows of the last batch, which may not be stored yet, and those of the batches before. */
  let last: ReadonlyMap<string, ViewRow> = new Map()
  let stored: Parameters<FoldBatch>[2] = () => undefined

  function foldOne(view: AnyViewDefinition, event: LogEvent, before: Versioned<unknown> | undefined): ViewRow {
    const { stream, version, at } = event
    const why = hasShapes(stream) ? whyUnreadable(stream, version, event) : undefined
    if (why !== undefined) throw new Error(why)
    const state = view.fold(before?.state, event)
    const wrong = rules[view.category]?.(state as never, event)
    if (wrong) findings.add(wrong.kind, `${nameOf(stream)}, version ${version}`, wrong.message)
    return { view: view.name, id: stream.id, version, at, state }
  }

  function fold(...[view, events, current, onFolded]: Parameters<FoldBatch>): ViewRow[] {
    const rows = new Map<string, ViewRow>()
    stored = current
    last = rows
    for (const event of events) {
      const { stream, version } = event
      const { category, id } = stream
      if (category !== view.category) continue
      const isHighest = Number(id) > highest
      // Numbers mostly ascend: nothing is stored yet for one above all before it.
      const before = isHighest ? undefined : (rows.get(id) ?? current(id))
      if (isHighest) highest = Number(id)
      if (before === undefined && !unreadable.has(id)) count += 1
      checkOrder(event, before, findings)
      try {
        const row = foldOne(view, event, before)
        rows.set(id, row)
        onVersion(row, event.position)
        onFolded(row, before?.version ?? 0)
      } catch (error) {
        unreadable.add(id)
        findings.add('unreadable', `${nameOf(stream)}, version ${version}`, (error as Error).message)
      }
    }
    return [...rows.values()]
  }

  return {
    fold,
    unreadable: unreadable as ReadonlySet<string>,
    /** Whether the batches folded so far have a stream of this id. */
    has: (id: string): boolean => unreadable.has(id) || last.has(id) || stored(id) !== undefined,
    /** How many streams there are, and the highest id, if ids are numbers. */
    seen: () => ({ count, highest }),
  }
}

function checkOrder(
  { stream, version, at }: LogEvent,
  before: Versioned<unknown> | undefined,
  findings: Findings,
): void {
  const expected = (before?.version ?? 0) + 1
  if (version !== expected) findings.add('version', nameOf(stream), `expected version ${expected}, found ${version}`)
  if (before && at < before.at) {
    const message = `version ${version} is dated ${before.at - at} ms before the previous one`
    findings.add('time', nameOf(stream), message)
  }
}

const nameOf = ({ category, id }: StreamName): string => `${category} ${id}`

/** What events and the states after them must agree on, by category. */
const rules: Readonly<Record<string, Rule>> = { contract: checkTotal }

const SUMS = ['serviceFee', 'taxPercent', 'totalFeeWithTax']

/** Totals are recorded, not computed on read: this rule must hold for every one of them. */
function checkTotal({ serviceFee, taxPercent, totalFeeWithTax }: Contract, { data }: LogEvent): ReturnType<Rule> {
  if (!SUMS.some((field) => field in data)) return undefined
  const right = totalWithTax(serviceFee, taxPercent)
  if (totalFeeWithTax === right) return undefined
  const message = `${serviceFee} with ${taxPercent} % tax is ${right}, but ${totalFeeWithTax} is recorded`
  return { kind: 'total', message }
}
