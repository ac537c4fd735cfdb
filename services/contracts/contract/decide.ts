import Big from 'big.js'
import {
  accepted,
  changedFields,
  type Decision,
  type NewFields,
  rejected,
  withDefaults,
} from '../../../shared/event-sourcing/decider.ts'
import type { ClosedPeriod } from '../closing/evolve.ts'
import type { FirmTimeZone } from '../firm/evolve.ts'
import { type ContractEvent, type ContractFields, contractDefaults } from './events.ts'
import type { Contract } from './evolve.ts'

interface CreateContract extends Proposed {
  readonly type: 'create'
  readonly id: number
  readonly fields: NewContract
  /** When it is created, in milliseconds since the epoch. */
  readonly at: number
  /** Determines the current date, the default of the service date. */
  readonly firm: FirmTimeZone
  /** Why the contract can't be for this client; undefined: it can. */
  readonly clientRefusal: ClientRefusal | undefined
  readonly closed: ClosingContext
}

interface EditContract extends Proposed {
  readonly type: 'edit'
  /** The fields to set; absent ones stay. */
  readonly changes: Partial<ContractFields>
  /** As in CreateContract, for the new client. */
  readonly clientRefusal: ClientRefusal | undefined
  readonly closed: ClosingContext
}

interface Proposed {
  /** Who proposed the change; undefined if it was not proposed. */
  readonly proposedBy?: string | undefined
}

export type ContractCommand = CreateContract | EditContract

export interface ClosingContext extends ClosedPeriod {
  /** Why this caller may write into the closed period; undefined: it may not. */
  readonly overrideReason: string | undefined
}

/** What a caller supplies for a new contract; the other fields have defaults. */
export type NewContract = NewFields<ContractFields, keyof typeof contractDefaults | 'serviceDate'>

/** The client is unknown, where only known ones are allowed; or the id is that of a business instead of its clientId. */
export type ClientRefusal =
  | { readonly type: 'client-unknown' }
  | { readonly type: 'client-is-business'; readonly clientId: string }

/** The contract's current or new service date is in the closed period. */
interface PeriodClosed {
  readonly type: 'period-closed'
  /** `YYYY-MM-DD`, included. */
  readonly closedThrough: string
}

export type ContractRejection = { readonly type: 'contract-not-found' } | ClientRefusal | PeriodClosed

/** Decides a command on a contract; `contract` is undefined when it does not exist. */
export function decide(
  contract: Contract | undefined,
  command: ContractCommand,
): Decision<ContractEvent, ContractRejection> {
  if (command.type === 'create') return create(command)
  return contract === undefined ? rejected({ type: 'contract-not-found' }) : edit(contract, command)
}

function create(command: CreateContract): Decision<ContractEvent, ContractRejection> {
  const { id, fields, at, firm, clientRefusal, closed } = command
  if (clientRefusal !== undefined) return rejected(clientRefusal)
  const all = withDefaults<ContractFields, keyof typeof contractDefaults | 'serviceDate'>(fields, {
    ...contractDefaults,
    serviceDate: fields.serviceDate ?? firm.dateAt(at),
  })
  const check = checkClosing(closed, all.serviceDate)
  if (check.type === 'rejected') return check
  const totalFeeWithTax = totalWithTax(all.serviceFee, all.taxPercent)
  const data = { id, ...all, totalFeeWithTax, ...check.recorded, ...proposed(command) }
  return accepted({ type: 'ContractCreated.v1', data })
}

function edit(contract: Contract, command: EditContract): Decision<ContractEvent, ContractRejection> {
  const { changes, clientRefusal, closed } = command
  const changed = changedFields<ContractFields>(contract, changes)
  if (Object.keys(changed).length === 0) return accepted()
  const check = checkClosing(closed, contract.serviceDate, changed.serviceDate)
  if (check.type === 'rejected') return check
  if (changed.clientId !== undefined && clientRefusal !== undefined) return rejected(clientRefusal)
  const data = { ...changed, ...newTotal(contract, changed), ...check.recorded, ...proposed(command) }
  return accepted({ type: 'ContractEdited.v1', data })
}

const proposed = ({ proposedBy }: Proposed): Proposed => (proposedBy === undefined ? {} : { proposedBy })

function newTotal(contract: Contract, changed: Partial<ContractFields>): { totalFeeWithTax?: string } {
  const { serviceFee, taxPercent } = changed
  if (serviceFee === undefined && taxPercent === undefined) return {}
  const totalFeeWithTax = totalWithTax(serviceFee ?? contract.serviceFee, taxPercent ?? contract.taxPercent)
  return totalFeeWithTax === contract.totalFeeWithTax ? {} : { totalFeeWithTax }
}

/** Whether a change of these dates is allowed, and what its event records: a reason in a closed period, else nothing. */
function checkClosing({ closedThrough, overrideReason }: ClosingContext, ...dates: readonly (string | undefined)[]) {
  // ISO dates compare like strings.
  const isClosed = closedThrough !== null && dates.some((date) => date !== undefined && date <= closedThrough)
  if (!isClosed) return { type: 'allowed', recorded: {} } as const
  if (overrideReason !== undefined) return { type: 'allowed', recorded: { overrideReason } } as const
  return rejected({ type: 'period-closed', closedThrough })
}

const HUNDRED = new Big(100)
const HUNDREDTH = new Big('0.01')

/** fee × (1 + percent / 100), never rounded. Multiplies by 0.01 because big.js rounds divisions. */
export function totalWithTax(fee: string, taxPercent: string): string {
  return new Big(taxPercent).plus(HUNDRED).times(HUNDREDTH).times(fee).toFixed()
}
