import type { ListQuery, Page, View, ViewRow } from '../../../shared/event-sourcing/view.ts'
import type { Business } from './evolve.ts'

export type BusinessListQuery = Omit<ListQuery, 'where'>

/** The business of an id in lower case, undefined when there is none. */
export function findBusiness(view: View<Business>, id: string): Promise<ViewRow<Business> | undefined> {
  return view.get(id)
}

/** The business that a client is; clientId in lower case. */
export async function findBusinessByClientId(
  view: View<Business>,
  clientId: string,
): Promise<ViewRow<Business> | undefined> {
  const { rows } = await view.list({ where: { clientId }, search: '', limit: 1, offset: 0 })
  return rows[0]
}

/** Businesses, newest first. */
export function listBusinesses(
  view: View<Business>,
  { search, limit, offset }: BusinessListQuery,
): Promise<Page<Business>> {
  return view.list({ where: {}, search, limit, offset })
}
