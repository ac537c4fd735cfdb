import type { StoredVersionsPage } from '../../../../event-sourcing/ports/inspection.ts'
import type { StoredVersion } from '../../../../event-sourcing/stored-versions.ts'
import { blockAfter, type Chunk, type Numbers, tailOf } from '../../any-thread/ledger/chunks.ts'
import { decodeDate } from '../../any-thread/ledger/encoded-version.ts'
import { type LedgerShape, labelsTable, ledgerTables, limbColumns } from '../../any-thread/ledger/ledger-tables.ts'
import { toDecimal } from '../../any-thread/ledger/limbs.ts'
import type { Statements } from '../../any-thread/statements.ts'
import type { ViewTables } from '../../any-thread/view-tables.ts'

export const NO_VERSIONS: StoredVersionsPage = { versions: [], damage: [], next: undefined }

/** How many labels are read at a time. */
const LABELS = 2_000
/** How many texts of ledgers are cached. */
const TEXTS = 10_000

/** Reads what views store of versions: of labels a page; of a ledger a block or, last, the entries in no block. */
export function createVersionReader(statements: Statements) {
  const textOf = createTexts(statements)
  return ({ shape, rows }: ViewTables, from: string | undefined): StoredVersionsPage => {
    const { versions, idOrder } = shape
    if (versions === undefined) return NO_VERSIONS
    if (versions.kind === 'ledger') {
      return readEntries(statements, { rows, shape: versions, textOf }, from === undefined ? undefined : Number(from))
    }
    const first = [idOrder === 'numeric' ? Number.MIN_SAFE_INTEGER : '', 0, 0, 0]
    return readLabels(statements, rows, from === undefined ? first : JSON.parse(from))
  }
}

interface LabelRow {
  readonly id: string | number
  readonly era: number
  readonly number: number
  readonly version: number
  readonly since: number
  readonly label: string
}

function readLabels(statements: Statements, rows: string, after: readonly (string | number)[]) {
  const key = 'id, era, number, version'
  const sql = `SELECT * FROM ${labelsTable(rows)} WHERE (${key}) > (?, ?, ?, ?) ORDER BY ${key} LIMIT ${LABELS}`
  const found = statements.of(sql).all(...after) as unknown as LabelRow[]
  const versions = found.map(({ id, version, since, label, era, number }) => {
    return { id: String(id), version, values: [since, label, era, number] }
  })
  const last = found.length < LABELS ? undefined : found.at(-1)
  return { versions, damage: [], next: last && JSON.stringify([last.id, last.era, last.number, last.version]) }
}

interface ReadLedger {
  readonly rows: string
  readonly shape: LedgerShape
  readonly textOf: TextOf
}

function readEntries(statements: Statements, ledger: ReadLedger, after: number | undefined): StoredVersionsPage {
  const tables = ledgerTables(ledger.rows, ledger.shape)
  const found = blockAfter(statements, tables, after)
  if (found === undefined) return { ...NO_VERSIONS, versions: decodeChunk(ledger, tailOf(statements, tables)) }
  const { block, chunk } = found
  const page = { versions: [], damage: [], next: String(block) }
  try {
    return { ...page, versions: decodeChunk(ledger, chunk), damage: wrongTimes(block, chunk) }
  } catch (error) {
    return { ...page, damage: [`block ${block} can't be read: ${(error as Error).message}`] }
  }
}

/** Reports pass over a block by the times that it is filed under. */
function wrongTimes(block: number, { lowest, highest, column }: Chunk): string[] {
  const times = column('at')
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (first === lowest && last === highest) return []
  return [`block ${block} is filed under the times ${lowest} to ${highest}, but has ${first} to ${last}`]
}

/** The entries of a chunk. Throws an Error when a column is missing or has too few numbers. */
function decodeChunk({ rows, shape, textOf }: ReadLedger, chunk: Chunk): StoredVersion[] {
  const { codes } = ledgerTables(rows, shape)
  const columnOf = (name: string): Numbers => {
    const numbers = chunk.column(name)
    if (numbers.length === chunk.size) return numbers
    throw new Error(`its column ${name} has ${numbers.length} numbers, not ${chunk.size}`)
  }
  const [ids, times, versions, dates] = [columnOf('id'), columnOf('at'), columnOf('version'), columnOf('date')]
  const texts = shape.texts.map(columnOf)
  const amounts = shape.amounts.map((amount) => limbColumns(amount).map(columnOf))
  return Array.from({ length: chunk.size }, (_, index): StoredVersion => {
    const here = (column: Numbers): number => column[index] as number
    const values = [
      here(times),
      ...texts.map((column) => textOf(codes, here(column))),
      decodeDate(here(dates)),
      ...amounts.map((limbs) => toDecimal(limbs.map(here))),
    ]
    return { id: String(here(ids)), version: here(versions), values }
  })
}

type TextOf = (codes: string, code: number) => string

/** The texts behind codes, which are those of a table. */
function createTexts(statements: Statements): TextOf {
  const known = new Map<number, string>()
  let table = ''
  return (codes, code) => {
    if (codes !== table || known.size > TEXTS) known.clear()
    table = codes
    let text = known.get(code)
    if (text === undefined) {
      const found = statements.of(`SELECT text FROM ${codes} WHERE code = ?`).get(code)
      text = String(found?.text ?? `(no text has the code ${code})`)
      known.set(code, text)
    }
    return text
  }
}
