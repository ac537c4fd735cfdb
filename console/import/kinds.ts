import type { ApiDocument } from '../api/document.ts'
import { recordFields } from '../fields/fields.ts'
import { text } from '../languages/texts.ts'
import { contracts, kinds, type RecordKind } from '../records/kinds.ts'
import type { ImportField } from './columns.ts'

/** A kind of record that can be imported. */
export interface ImportKind {
  readonly kind: RecordKind
  readonly fields: readonly ImportField[]
  /** Each group needs at least one column. */
  readonly required: readonly (readonly string[])[]
}

/** What can be imported, and what a file is assumed to contain at first. */
export function importKinds(document: ApiDocument) {
  const first = contractsOf(kindOf(contracts, document))
  const others = Object.values(kinds).filter((kind) => kind.creation !== undefined && kind !== contracts)
  return { all: [...others.map((kind) => kindOf(kind, document)), first], first }
}

function kindOf(kind: RecordKind, document: ApiDocument): ImportKind {
  const fields = recordFields(document, kind.schema, kind.creation).filter(({ isGiven }) => isGiven)
  return { kind, fields, required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => [name]) }
}

/** Files can name a contract's client in place of its id. */
function contractsOf({ kind, fields, required }: ImportKind): ImportKind {
  const others = fields.filter(({ name }) => name !== 'clientId')
  return {
    kind,
    fields: [
      { name: 'client', label: text('import.clientByName') },
      { name: 'clientId', label: text('import.clientById') },
      ...others,
      { name: 'tax', label: text('import.taxToCompare'), kind: 'amount' },
      { name: 'totalFeeWithTax', label: text('import.totalToCompare'), kind: 'amount' },
    ],
    required: required.map((group) => (group.includes('clientId') ? ['client', ...group] : group)),
  }
}
