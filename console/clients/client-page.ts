import { loadedPage } from '../frame/lazy-page.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { kinds } from '../records/kinds.ts'
import { recordPage } from '../records/record-page.ts'
import { createBilling } from './billing.ts'

/** The page of a client by the id of its business: what is known about it, what it was billed, and its history. */
export function businessPage(context: PageContext): Page {
  return recordPage(kinds.businesses, context, createBilling(context))
}

/** The same by the client's id. Without the right to read businesses, it has no more than the client's name. */
export function clientPage(context: PageContext): Page {
  const { api, may, id } = context
  if (!may('/businesses/{id}', 'GET')) return recordPage(kinds.clients, context, createBilling(context))
  async function load(signal: AbortSignal): Promise<Page> {
    const { businessId } = await api.get(`clients/${encodeURIComponent(id)}`, { signal })
    return businessPage({ ...context, id: businessId })
  }
  return { ...loadedPage(load, text('field.clientId'), context), followsAsOf: true }
}
