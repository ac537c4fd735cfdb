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
  /** Any of several words; none chosen means all. */
  | 'choices'
  /** The id of a client. */
  | 'client'
  /** The id of a business. */
  | 'business'
  | 'id'

/** What neither the OpenAPI document nor a text says about a field, by its name; other fields need none. */
export interface Override {
  readonly kind?: FieldKind
  readonly choices?: readonly string[]
}

export const overrides: Readonly<Record<string, Override>> = {
  clientId: { kind: 'client' },
  businessId: { kind: 'business' },
  taxPercent: { kind: 'decimal' },
  serviceDate: { kind: 'date' },
  incorporationDate: { kind: 'date' },
  url: { kind: 'text' },
  timeZone: { kind: 'choice', choices: [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])] },
}
