import {
  accepted,
  changedFields,
  type Decision,
  type NewFields,
  rejected,
  withDefaults,
} from '../../../shared/event-sourcing/decider.ts'
import { type BusinessEvent, type BusinessFields, businessDefaults } from './events.ts'
import type { Business } from './evolve.ts'

export interface CreateBusiness {
  readonly type: 'create'
  readonly id: string
  readonly clientId: string
  readonly fields: NewBusiness
}

export interface EditBusiness {
  readonly type: 'edit'
  /** The fields to set; absent ones stay. `taxId: ''` clears it, `operatedAs: ''` makes it the legal name. */
  readonly changes: Partial<BusinessFields>
}

/** What a caller supplies for a new business; the other fields have defaults. */
export type NewBusiness = NewFields<BusinessFields, keyof typeof businessDefaults | 'operatedAs'>

export type BusinessRejection = { readonly type: 'business-not-found' }

/** Decides a command on a business; `business` is undefined when it does not exist. */
export function decide(
  business: Business | undefined,
  command: CreateBusiness | EditBusiness,
): Decision<BusinessEvent, BusinessRejection> {
  if (command.type === 'create') return accepted(created(command))
  if (business === undefined) return rejected({ type: 'business-not-found' })
  const data = changedFields<BusinessFields>(business, resolveEmpty(business, command.changes))
  return Object.keys(data).length === 0 ? accepted() : accepted({ type: 'BusinessEdited.v1', data })
}

function created({ id, clientId, fields }: CreateBusiness): BusinessEvent {
  const all = withDefaults<BusinessFields, keyof typeof businessDefaults | 'operatedAs'>(fields, {
    ...businessDefaults,
    operatedAs: fields.legalName,
  })
  const data = { id, clientId, ...all, operatedAs: all.operatedAs || all.legalName, taxId: all.taxId || null }
  return { type: 'BusinessCreated.v1', data }
}

/** An empty operating name becomes the legal name as it is after the edit; an empty tax id becomes null. */
function resolveEmpty(business: Business, changes: Partial<BusinessFields>): Partial<BusinessFields> {
  return {
    ...changes,
    ...(changes.operatedAs === '' && { operatedAs: changes.legalName ?? business.legalName }),
    ...(changes.taxId === '' && { taxId: null }),
  }
}
