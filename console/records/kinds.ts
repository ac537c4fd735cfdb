import type { RecordJson } from '../api/json.ts'
import type { Texts } from '../fields/texts.ts'
import { dayOf } from '../format/dates.ts'
import { totalWithTax } from '../format/decimals.ts'
import { decimals } from '../format/formats.ts'
import { text, textIfAny } from '../languages/texts.ts'

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
  /** The fields that a list has no room for; the record's page shows all. */
  readonly notInList: readonly string[]
  /** The field that leads from a list to the record. */
  readonly linked: string
  /** What the search of its list covers. */
  readonly searched: string
  /** Whether closing the books locks it, by its service date. */
  readonly isClosable: boolean
  /** The report that adds its records up. */
  readonly report?: string
  /** What a record is called: the heading of its page. */
  titleOf(record: RecordJson): string
  /** The same after the word for its kind: `contract 7: Payroll run`. */
  nameOf(record: RecordJson): string
  /** The fields that *Save and add another* keeps; undefined: that isn't offered. */
  readonly keptForNext?: readonly string[]
  /** Where several are created at once. */
  readonly several?: { readonly path: string; readonly label: string }
  /** The fields that a duplicate copies; undefined: there are no duplicates. */
  readonly duplicated?: readonly string[]
  /** Ids that only programs need, with their labels: its page shows them folded, to copy. */
  readonly ids: Readonly<Record<string, string>>
  /** The initial values of a form for a new one. */
  readonly suggested?: () => Texts
  /** A preview of the amount that the service will compute from the texts in a form; the service's result is what counts. */
  readonly preview?: (texts: Texts) => { readonly label: string; readonly amount: string | undefined }
}

type Own = 'notInList' | 'linked'

/** A kind of record, by its names in the API; `own` has only what differs from the defaults. */
export function kind(one: string, many: string, own: Pick<RecordKind, Own> & Partial<RecordKind>): RecordKind {
  const schema = capitalised(one)
  const nameOf = (record: RecordJson): string => record[own.linked]
  const [title, searched] = [kindText('kind.title', { many }), kindText('kind.searched', { many })]
  const same = { title, searched, schema, creation: `${schema}Creation`, id: 'id', ids: {}, isClosable: false }
  return { one, many, ...same, nameOf, titleOf: nameOf, ...own }
}

/** What a record is called before it is loaded, after the word for its kind: only numbers mean something to people. */
export const idToShow = ({ linked }: RecordKind, id: string): string => (linked === 'id' ? id : '')

/** A text that differs by kind: `import.show` is `import.show.contracts`. */
export function kindText(
  name: string,
  { many }: Pick<RecordKind, 'many'>,
  values?: Parameters<typeof textIfAny>[1],
): string {
  return textIfAny(`${name}.${many}`, values) ?? ''
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

export const contracts: RecordKind = kind('contract', 'contracts', {
  notInList: ['notes', 'createdAt', 'updatedAt'],
  linked: 'id',
  isClosable: true,
  report: '/reports/contracts',
  titleOf: (record) => kindText('kind.named', contracts, { id: contracts.nameOf(record) }),
  nameOf: ({ id, serviceName }) => text('format.labelled', { label: String(id), value: serviceName }),
  keptForNext: ['clientId', 'serviceType', 'taxPercent', 'serviceDate'],
  several: { path: '/contracts/several', label: text('records.enterSeveral') },
  // Not the notes, which are about one service.
  duplicated: ['clientId', 'serviceName', 'serviceType', 'serviceFee', 'taxPercent'],
  // Without a date the service takes that of the firm's time zone, which is UTC until somebody sets it.
  suggested: () => ({ serviceDate: dayOf(new Date()) }),
  preview: ({ serviceFee = '', taxPercent = '' }) => {
    const [fee, tax] = [decimals.read(serviceFee), decimals.read(taxPercent)]
    const isKnown = fee !== undefined && tax !== undefined && isShort(fee) && isShort(tax)
    return { label: text('field.totalFeeWithTax'), amount: isKnown ? totalWithTax(fee, tax) : undefined }
  },
})

const businesses = kind('business', 'businesses', {
  notInList: ['id', 'clientId', 'taxId', 'phone', 'ownershipType', 'incorporationDate', 'createdAt', 'updatedAt'],
  linked: 'legalName',
  ids: { clientId: text('records.clientId'), id: text('records.businessId') },
  titleOf: ({ operatedAs }) => operatedAs,
})

const clients = kind('client', 'clients', {
  creation: undefined,
  id: 'clientId',
  notInList: ['clientId', 'businessId', 'createdAt'],
  linked: 'displayName',
  ids: { clientId: text('records.clientId'), businessId: text('records.businessId') },
})

/** The firm whose books these are. */
export const firm = kind('firm', 'firm', {
  isSingle: true,
  schema: 'Firm',
  creation: 'FirmChanges',
  notInList: [],
  linked: 'name',
  titleOf: ({ name }) => name || kindText('kind.named', firm, { id: '' }),
  nameOf: () => '',
})

/** The path of a record in the API and in the console, and its template in the document. */
export function pathsOf({ many, isSingle = false }: RecordKind, id = '') {
  if (isSingle) return { path: many, template: `/${many}` }
  return { path: `${many}/${encodeURIComponent(id)}`, template: `/${many}/{id}` }
}

/** Each has its pages and, apart from businesses, its place in the navigation, in this order. */
export const kinds = { contracts, businesses, clients } satisfies Readonly<Record<string, RecordKind>>

/** Multiplying a whole pasted book would take too long. */
const isShort = (typed: string): boolean => typed.length <= 64
