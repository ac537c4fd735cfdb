import type { Api } from '../api/client.ts'
import type { ApiDocument } from '../api/document.ts'
import { type Currency, NO_CURRENCY } from '../format/decimals.ts'
import { useCurrency } from '../format/formats.ts'
import { createLoader } from './loader.ts'

/** Whose books these are, as the API answers it; '' for what is not set. */
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

/** Creates what knows the firm, once it is loaded. `update` is called whenever that changes. */
export function createFirm(api: Api, update: () => void) {
  const load = async (signal: AbortSignal): Promise<Firm> => (await api.get('firm', { signal })).body
  const firm = createLoader(load, { update, keepsLast: true })
  return {
    /** Call it again once it was edited. */
    load: firm.load,
    isLoading: firm.isLoading,
    /** undefined: not known. */
    value: firm.value,
    /** Shows amounts in its currency, with the decimals that the document says. */
    showCurrency: (document: ApiDocument) => useCurrency(currencyOf(document, firm.value()?.currency ?? '')),
  }
}

export type KnownFirm = ReturnType<typeof createFirm>
