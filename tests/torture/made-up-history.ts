import type {
  Create,
  Deposed,
  Edit,
  Entry,
  Find,
  Get,
  List,
  RecordHistory,
  Row,
  Values,
  VersionedRow,
} from './history.ts'

interface At {
  /** When it was called, and when it returned. */
  readonly at: readonly [call: number, end: number]
}

const times = ([call, end]: At['at'], status: string) => ({ call, return: end, gateway: 0, status })

/** Contract 1 as it was created; later ids are newer. */
export const aRow = ({
  id = 1,
  name = 'm1',
  serviceType = 'plain',
  notes = '',
}: {
  id?: number
  name?: string
  serviceType?: string
  notes?: string
} = {}): Row => ({
  id,
  serviceName: name,
  serviceType,
  notes,
  createdAt: 1_000 + id,
})

export const versioned = (row: Row, version: number): VersionedRow => ({ ...row, version })

/** An acknowledged create. */
export function aCreate({ at, id = 1, name = 'm1' }: At & { id?: number; name?: string }): Create {
  const record = versioned(aRow({ id, name }), 1)
  const asked = { serviceName: name, serviceType: 'plain', notes: '' }
  return { type: 'create', ...times(at, '201'), outcome: 'ok', asked, keyed: false, record }
}

/** An acknowledged edit of contract 1. */
export function anEdit({
  at,
  version,
  ifMatch,
  ...changes
}: At & { version: number; ifMatch?: number; notes?: string; serviceType?: string }): Edit {
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
})

export function aRecordHistory({
  at: [call, end],
  record,
  edits,
}: At & { record: VersionedRow; edits: Partial<Values>[] }): RecordHistory {
  const { serviceName } = record
  const created = { serviceName, serviceType: 'plain', notes: '' }
  const events = [created, ...edits].map((data, index) => ({ version: index + 1, data }))
  return { type: 'record-history', call, return: end, record, events }
}
