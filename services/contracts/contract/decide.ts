import { changedFields } from '../../../shared/event-sourcing/changed-fields.ts'
import type { Decision } from '../../../shared/event-sourcing/decider.ts'
import { type Given, withDefaults } from '../../../shared/event-sourcing/with-defaults.ts'
import type { ClosedPeriod } from '../closing/closed-period.ts'
import { type ContractEvent, type ContractFields, contractDefaults } from './events.ts'
import type { Contract } from './evolve.ts'
import { totalWithTax } from './money.ts'

interface CreateContract {
  readonly type: 'create'
  readonly id: number
  readonly fields: NewContract
  /** When it is created, in milliseconds since the epoch. */
  readonly at: number
  /** Why the contract can't be for this client, if so. */
  readonly clientRefusal: ClientRefusal | undefined
  readonly closed: ClosedFor
}

interface EditContract {
  readonly type: 'edit'
  /** The fields to set; absent ones stay. */
  readonly changes: Partial<ContractFields>
  /** As in CreateContract, of the client to change to. */
  readonly clientRefusal: ClientRefusal | undefined
  readonly closed: ClosedFor
}

export type ContractCommand = CreateContract | EditContract

/** The closed period, and whether this caller may write into it. */
export interface ClosedFor extends ClosedPeriod {
  readonly isOverridden: boolean
}

/** What the caller gives of a new contract; the rest has defaults. */
export type NewContract = Given<ContractFields, keyof typeof contractDefaults | 'serviceDate'>

/** Nobody knows the client, and only known ones are allowed; or it is the id of a business, whose clientId is another. */
export type ClientRefusal =
  | { readonly type: 'client-unknown' }
  | { readonly type: 'client-is-business'; readonly clientId: string }

/** The contract's service date, as it is or as it would be, lies in the closed period. */
interface PeriodClosed {
  readonly type: 'period-closed'
  /** `YYYY-MM-DD`, included. */
  readonly closedThrough: string
}

export type ContractRejection = { readonly type: 'contract-not-found' } | ClientRefusal | PeriodClosed

/** Decides a command on a contract, undefined when there is none. */
export function decide(
  contract: Contract | undefined,
  command: ContractCommand,
): Decision<ContractEvent, ContractRejection> {
  if (command.type === 'create') return create(command)
  return contract === undefined ? rejected({ type: 'contract-not-found' }) : edit(contract, command)
}

function create({ id, fields, at, clientRefusal, closed }: CreateContract): Decision<ContractEvent, ContractRejection> {
  if (clientRefusal !== undefined) return rejected(clientRefusal)
  const all = withDefaults<ContractFields, keyof typeof contractDefaults | 'serviceDate'>(fields, {
    ...contractDefaults,
    serviceDate: fields.serviceDate ?? dateInUtc(at),
  })
  const periodClosed = findPeriodClosed(closed, all.serviceDate)
  if (periodClosed !== undefined) return rejected(periodClosed)
  const data = { id, ...all, totalFeeWithTax: totalWithTax(all.serviceFee, all.taxPercent) }
  return { type: 'accepted', events: [{ type: 'ContractCreated.v1', data }] }
}

function edit(
  contract: Contract,
  { changes, clientRefusal, closed }: EditContract,
): Decision<ContractEvent, ContractRejection> {
  const changed = changedFields<ContractFields>(contract, changes)
  if (Object.keys(changed).length === 0) return { type: 'accepted', events: [] }
  const periodClosed = findPeriodClosed(closed, contract.serviceDate, changed.serviceDate)
  if (periodClosed !== undefined) return rejected(periodClosed)
  if (changed.clientId !== undefined && clientRefusal !== undefined) return rejected(clientRefusal)
  const data = { ...changed, ...newTotal(contract, changed) }
  return { type: 'accepted', events: [{ type: 'ContractEdited.v1', data }] }
}

function newTotal(contract: Contract, changed: Partial<ContractFields>): { totalFeeWithTax?: string } {
  const { serviceFee, taxPercent } = changed
  if (serviceFee === undefined && taxPercent === undefined) return {}
  const totalFeeWithTax = totalWithTax(serviceFee ?? contract.serviceFee, taxPercent ?? contract.taxPercent)
  return totalFeeWithTax === contract.totalFeeWithTax ? {} : { totalFeeWithTax }
}

/** Dates of this form are ordered like their texts. */
function findPeriodClosed(
  { closedThrough, isOverridden }: ClosedFor,
  ...dates: readonly (string | undefined)[]
): PeriodClosed | undefined {
  if (closedThrough === null || isOverridden) return undefined
  const isClosed = dates.some((date) => date !== undefined && date <= closedThrough)
  return isClosed ? { type: 'period-closed', closedThrough } : undefined
}

function dateInUtc(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function rejected(rejection: ContractRejection): { type: 'rejected'; rejection: ContractRejection } {
  return { type: 'rejected', rejection }
}
