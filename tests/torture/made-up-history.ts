import type { Create, Deposed, Edit, Entry, Find, Get, List, Row, Touch, Values, VersionedRow } from './history.ts'
import type { ClosingHistory, RecordHistory } from './history-at-end.ts'
import type { GetClosing, SetClosing } from './history-of-closings.ts'
import type { Report, Sums } from './history-of-reports.ts'

interface At {
  /** The times of its call and its return. */
  readonly at: readonly [call: number, end: number]
}

const times = ([call, end]: At['at'], status: string) => ({ call, return: end, gateway: 0, status })

/** Contract 1 as created; higher ids are newer. */
export const aRow = ({
  id = 1,
  name = 'm1',
  serviceType = 'plain',
  notes = '',
  serviceDate = '2024-04-15',
}: {
  id?: number
  name?: string
  serviceType?: string
  notes?: string
  serviceDate?: string
} = {}): Row => ({
  id,
  serviceName: name,
  serviceType,
  notes,
  serviceDate,
  createdAt: 1_000 + id,
})

export const versioned = (row: Row, version: number): VersionedRow => ({ ...row, version })

/** An acknowledged create. */
export function aCreate({
  at,
  id = 1,
  name = 'm1',
  ...dated
}: At & { id?: number; name?: string; serviceDate?: string }): Create {
  const record = versioned(aRow({ id, name, ...dated }), 1)
  const asked = { serviceName: name, serviceType: 'plain', notes: '', serviceDate: record.serviceDate }
  return { type: 'create', ...times(at, '201'), outcome: 'ok', asked, keyed: false, record }
}

/** An acknowledged edit of contract 1. */
export function anEdit({
  at,
  version,
  ifMatch,
  ...changes
}: At & { version: number; ifMatch?: number } & Partial<Omit<Values, 'serviceName'>>): Edit {
  const record = versioned(aRow(changes), version)
  const condition = ifMatch === undefined ? {} : { ifMatch }
  return { type: 'edit', ...times(at, '200'), outcome: 'ok', id: 1, changes, ...condition, record }
}

export const aGet = ({ at, record }: At & { record: VersionedRow | null }): Get => ({
  type: 'get',
  ...times(at, record === null ? '404 not_found' : '200'),
  id: 1,
  record,
})

/** A no-op edit of contract 1, acknowledged with this record. */
export const aTouch = ({ at, record, ifMatch }: At & { record: VersionedRow; ifMatch?: number }): Touch => ({
  type: 'touch',
  ...times(at, '200'),
  outcome: 'ok',
  id: 1,
  record,
  ...(ifMatch !== undefined && { ifMatch }),
})

/** An acknowledged closing; its reason is derived from its version. */
export const aClosing = ({ at, through, version }: At & { through: string | null; version: number }): SetClosing => ({
  type: 'set-closing',
  ...times(at, '200'),
  outcome: 'ok',
  asked: { closedThrough: through, reason: `c${version}` },
  version,
})

export const aGetOfClosing = ({ at, ...of }: At & { through: string | null; version: number }): GetClosing => ({
  type: 'get-closing',
  ...times(at, '200'),
  closing: { closedThrough: of.through, reason: `c${of.version}`, version: of.version },
})

/** A history with all of these closings at the end. */
export const closingsAtEnd = (...sets: SetClosing[]): ClosingHistory => ({
  type: 'closing-history',
  call: 1_000,
  return: 1_001,
  closings: sets.map(({ asked, version = 0 }) => ({ ...asked, version })),
})

/** A report as of moment 5. */
export const aReport = ({ at, count, isOfNow = false }: At & { count: number; isOfNow?: boolean }): Report => ({
  type: 'report',
  ...times(at, '200'),
  query: '',
  asOf: 5,
  isOfNow,
  isFinal: true,
  rows: '[]',
  sums: sumsOf(count),
})

export const sumsOf = (count: number): Sums => ({ count, serviceFee: `${count}.1`, tax: '0', totalFeeWithTax: '0' })

export const aFind = ({ at, word, row }: At & { word: string; row: Row | null }): Find => ({
  type: 'find',
  ...times(at, '200'),
  id: 1,
  word,
  row,
})

export function aList({ at, rows, total, search }: At & { rows: Row[]; total?: number; search?: string }): List {
  const filter = search === undefined ? {} : { search }
  return { type: 'list', ...times(at, '200'), ...filter, rows, total: total ?? rows.length }
}

export const aDeposed = (window: Omit<Deposed, 'type'>): Deposed => ({ type: 'deposed', ...window })

export const anEnd = (contracts: Row[]): Entry => ({
  type: 'end',
  call: 1_000,
  return: 1_001,
  contracts,
  businesses: [],
  businessIds: [],
})

export function aRecordHistory({
  at: [call, end],
  record,
  edits,
}: At & { record: VersionedRow; edits: Partial<Values>[] }): RecordHistory {
  const { serviceName, serviceDate } = record
  const created = { serviceName, serviceType: 'plain', notes: '', serviceDate }
  const events = [created, ...edits].map((data, index) => ({ version: index + 1, data }))
  return { type: 'record-history', call, return: end, record, events }
}
