import type { ApiDocument } from '../api/document.ts'
import { type Currency, NO_CURRENCY } from '../format/decimals.ts'

/** The firm whose books these are, as the API returns it; '' for what is not set. */
export interface Firm {
  readonly name: string
  /** May have several lines. */
  readonly address: string
  readonly email: string
  readonly phone: string
  readonly taxId: string
  readonly currency: string
  readonly timeZone: string
}

/** A currency by its code, with the decimals that the document says. */
export function currencyOf(document: ApiDocument, code: string): Currency {
  const { 'x-enumDecimals': unusual = {} } = document.schema('Firm').properties?.currency ?? {}
  return { code, decimals: Number(unusual[code] ?? NO_CURRENCY.decimals) }
}
