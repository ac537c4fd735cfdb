import type { ViewDifference } from '../../../../../event-sourcing/ports/inspection.ts'
import { blockAfter, type Chunk, type Numbers, tailOf } from '../../../any-thread/ledger/chunks.ts'
import { decodeDate } from '../../../any-thread/ledger/encoded-version.ts'
import { type LedgerShape, ledgerTables, limbColumns } from '../../../any-thread/ledger/ledger-tables.ts'
import { toDecimal } from '../../../any-thread/ledger/limbs.ts'
import type { Statements } from '../../../any-thread/statements.ts'
import type { StoredVersion } from './version-fingerprints.ts'

/** A view's ledger in a connection's main database. */
export interface StoredLedger {
  readonly statements: Statements
  /** The table of the view's rows. */
  readonly rows: string
  readonly shape: LedgerShape
}

/** How many texts are cached. */
const TEXTS = 10_000

/** The entries of a ledger, in the order of the log. `report` is called with what would make a report wrong or fail. */
export function* entriesOf(
  ledger: StoredLedger,
  report: (damage: ViewDifference) => void = () => undefined,
): Generator<StoredVersion> {
  const { statements, rows, shape } = ledger
  const tables = ledgerTables(rows, shape)
  const decode = createDecoding(ledger)
  let after: number | undefined
  for (let found = blockAfter(statements, tables); found; found = blockAfter(statements, tables, after)) {
    const { block, chunk } = found
    after = block
    try {
      yield* decode(chunk)
      checkTimes(chunk)
    } catch (error) {
      report({ of: 'ledger', message: `block ${block} ${(error as Error).message}` })
    }
  }
  yield* decode(tailOf(statements, tables))
}

/** Reports pass over a block by the times that it is filed under. */
function checkTimes({ lowest, highest, column }: Chunk): void {
  const times = column('at')
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (first === lowest && last === highest) return
  throw new Error(`is filed under the times ${lowest} to ${highest}, but has ${first} to ${last}`)
}

/** Returns a function that decodes a chunk. It throws an Error when a column is missing or has too few numbers. */
function createDecoding({ statements, rows, shape }: StoredLedger) {
  const { codes } = ledgerTables(rows, shape)
  const known = new Map<number, string>()

  function textOf(code: number): string {
    if (known.size > TEXTS) known.clear()
    let text = known.get(code)
    if (text === undefined) {
      const found = statements.of(`SELECT text FROM ${codes} WHERE code = ?`).get(code)
      text = String(found?.text ?? `(no text has the code ${code})`)
      known.set(code, text)
    }
    return text
  }

  function columnOf(chunk: Chunk, name: string): Numbers {
    try {
      const numbers = chunk.column(name)
      if (numbers.length === chunk.size) return numbers
      throw new Error(`its column ${name} has ${numbers.length} numbers, not ${chunk.size}`)
    } catch (error) {
      throw new Error(`can't be read: ${(error as Error).message}`)
    }
  }

  return (chunk: Chunk): StoredVersion[] => {
    const columns = ['id', 'version', 'at', 'date', ...shape.texts].map((name) => columnOf(chunk, name))
    const amounts = shape.amounts.map((amount) => limbColumns(amount).map((name) => columnOf(chunk, name)))
    return Array.from({ length: chunk.size }, (_, index): StoredVersion => {
      const [id, version, at, date, ...texts] = columns.map((column) => column[index] as number)
      const decimals = amounts.map((limbs) => toDecimal(limbs.map((column) => column[index] as number)))
      const values = [at as number, ...texts.map(textOf), decodeDate(date as number), ...decimals]
      return { id: String(id), version: version as number, values }
    })
  }
}
