import type { RecordJson } from '../api/json.ts'
import type { Texts } from '../fields/texts.ts'
import { dayOf } from '../format/dates.ts'
import { totalWithTax } from '../format/decimals.ts'
import { decimals } from '../format/formats.ts'

/** A kind of record: where it is in the API, and what the console calls it. */
export interface RecordKind {
  readonly one: string
  /** Also its path in the API and in the console. */
  readonly many: string
  readonly title: string
  /** The schema of the record, and of what it is created from where callers create and edit it. */
  readonly schema: string
  readonly creation: string | undefined
  /** Whether there is one alone, without an id and a list. */
  readonly isSingle?: boolean
  /** The field that identifies it. */
  readonly id: string
  /** What a list has no room for; the record's page shows all fields. */
  readonly notInList: readonly string[]
  /** The field that leads from a list to the record. */
  readonly linked: string
  /** What the search of its list finds. */
  readonly searched: string
  /** Whether closing the books locks it, by its service date. */
  readonly isClosable: boolean
  /** The report that adds its records up. */
  readonly report?: string
  /** What a record is called: the heading of its page. */
  titleOf(record: RecordJson): string
  /** The same after the word for its kind: `contract 7: Payroll run`. */
  nameOf(record: RecordJson): string
  /** The fields that whoever adds one after another keeps; undefined: they are added one by one. */
  readonly keptForNext?: readonly string[]
  /** Where several are created at once. */
  readonly several?: { readonly path: string; readonly label: string }
  /** The fields that a duplicate takes over; undefined: there are no duplicates. */
  readonly duplicated?: readonly string[]
  /** Its fields that are for programs alone, with their names: its page has them as a detail, to copy. */
  readonly ids: Readonly<Record<string, string>>
  /** What a form for a new one holds at first. */
  readonly suggested?: () => Texts
  /** What the service will compute from what is typed in a form, for the eye: the service's word counts. */
  readonly preview?: (texts: Texts) => { readonly label: string; readonly text: string }
}

type Own = 'notInList' | 'linked' | 'searched'

/** A kind of record, by its words in the API; what isn't said is as with most of them. */
function kind(one: string, many: string, own: Pick<RecordKind, Own> & Partial<RecordKind>): RecordKind {
  const schema = capitalised(one)
  const nameOf = (record: RecordJson): string => record[own.linked]
  const same = { title: capitalised(many), schema, creation: `New${schema}`, id: 'id', ids: {}, isClosable: false }
  return { one, many, ...same, nameOf, titleOf: nameOf, ...own }
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export const contracts: RecordKind = kind('contract', 'contracts', {
  notInList: ['notes', 'createdAt', 'updatedAt'],
  linked: 'id',
  searched: 'Service, type, number or client',
  isClosable: true,
  report: '/reports/contracts',
  titleOf: (record) => `Contract ${contracts.nameOf(record)}`,
  nameOf: ({ id, serviceName }) => `${id}: ${serviceName}`,
  keptForNext: ['clientId', 'serviceType', 'taxPercent', 'serviceDate'],
  several: { path: '/contracts/several', label: 'Enter several' },
  // Not the notes, which are about one service.
  duplicated: ['clientId', 'serviceName', 'serviceType', 'serviceFee', 'taxPercent'],
  // Without a date the service takes that of the firm's time zone, which is UTC until somebody sets it.
  suggested: () => ({ serviceDate: dayOf(new Date()) }),
  preview: ({ serviceFee = '', taxPercent = '' }) => {
    const [fee, tax] = [decimals.read(serviceFee), decimals.read(taxPercent)]
    const total = fee !== undefined && tax !== undefined && isShort(fee) && isShort(tax) ? totalWithTax(fee, tax) : ''
    return { label: 'Total with tax', text: total === '' ? '–' : decimals.inFull(total) }
  },
})

const businesses = kind('business', 'businesses', {
  notInList: ['id', 'clientId', 'taxId', 'phone', 'ownershipType', 'incorporationDate', 'createdAt', 'updatedAt'],
  linked: 'legalName',
  searched: 'Legal name, trade name or business number',
  ids: { clientId: 'Client ID', id: 'Business ID' },
  titleOf: ({ operatedAs }) => operatedAs,
})

const clients = kind('client', 'clients', {
  creation: undefined,
  id: 'clientId',
  notInList: ['clientId', 'businessId', 'createdAt'],
  linked: 'displayName',
  searched: 'Name',
  ids: { clientId: 'Client ID', businessId: 'Business ID' },
})

/** Whose books these are. */
export const firm = kind('firm', 'firm', {
  isSingle: true,
  schema: 'Firm',
  creation: 'FirmChanges',
  notInList: [],
  linked: 'name',
  searched: '',
  titleOf: ({ name }) => name || 'Firm',
  nameOf: () => '',
})

/** Where a record is in the API and in the console, and what the document calls that. */
export function pathsOf({ many, isSingle = false }: RecordKind, id = '') {
  if (isSingle) return { path: many, template: `/${many}` }
  return { path: `${many}/${encodeURIComponent(id)}`, template: `/${many}/{id}` }
}

/** Each has its pages and, apart from businesses, its place in the navigation, in this order. */
export const kinds = { contracts, businesses, clients } satisfies Readonly<Record<string, RecordKind>>

/** Nobody waits for the product of a pasted book. */
const isShort = (text: string): boolean => text.length <= 64
