import type { ListQuery, Page, View, ViewRow } from '../../../shared/event-sourcing/view.ts'
import type { Contract } from './evolve.ts'

export interface ContractListQuery extends Omit<ListQuery, 'where'> {
  readonly clientId?: string | undefined
}

/** The contract of a number, undefined when there is none. */
export function findContract(view: View<Contract>, id: number): Promise<ViewRow<Contract> | undefined> {
  return view.get(String(id))
}

/** Contracts, newest first. */
export function listContracts(
  view: View<Contract>,
  { clientId, search, limit, offset }: ContractListQuery,
): Promise<Page<Contract>> {
  return view.list({ where: { clientId }, search, limit, offset })
}
