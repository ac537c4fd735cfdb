/** How a field is shown and typed. */
export type FieldKind =
  | 'text'
  | 'longText'
  /** Money: shown with two decimals. */
  | 'amount'
  | 'decimal'
  /** A whole number. */
  | 'number'
  /** A day of the calendar. */
  | 'date'
  /** A point in time. */
  | 'moment'
  | 'choice'
  /** The id of a client. */
  | 'client'
  /** The id of a business. */
  | 'business'
  | 'id'

/** What the OpenAPI document can't say about a field, by its name; every other field goes without. */
export interface Override {
  readonly label?: string
  readonly kind?: FieldKind
  readonly choices?: readonly string[]
  /** In place of the description, which is for those who call the API. */
  readonly hint?: string
  /** What a new record gets where it is left empty: completes “… if left empty”. */
  readonly emptyMeans?: string
}

export const overrides: Readonly<Record<string, Override>> = {
  id: { label: 'ID' },
  clientId: { label: 'Client', kind: 'client', hint: 'Type a part of the name.' },
  businessId: { label: 'Business', kind: 'business' },
  taxPercent: { label: 'Tax %', kind: 'decimal', hint: '', emptyMeans: 'no tax' },
  totalFeeWithTax: { label: 'Total with tax' },
  serviceDate: { hint: '', emptyMeans: 'today' },
  taxId: { label: 'Tax ID', hint: '' },
  operatedAs: { hint: 'The trade name.', emptyMeans: 'the legal name' },
  incorporationDate: { hint: '' },
  email: { label: 'E-mail', hint: '' },
  clientName: { label: 'Client’s name contains' },
  serviceDateFrom: { label: 'Service date from' },
  serviceDateTo: { label: 'Service date to' },
  createdAt: { label: 'Created' },
  currency: { hint: 'Amounts are shown and billed in it. Once there are contracts, it stays as it is.' },
  timeZone: {
    kind: 'choice',
    choices: [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])],
    hint: 'Decides which day today is.',
  },
  updatedAt: { label: 'Last changed' },
  updatedSince: { label: 'Changed since' },
}
