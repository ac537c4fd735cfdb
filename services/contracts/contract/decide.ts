import Big from 'big.js'
import { changedFields, type Decision, type Given, withDefaults } from '../../../shared/event-sourcing/decider.ts'
import type { ClosedPeriod } from '../closing/closed-period.ts'
import type { FirmTimeZone } from '../firm/evolve.ts'
import { type ContractEvent, type ContractFields, contractDefaults } from './events.ts'
import type { Contract } from './evolve.ts'

interface CreateContract extends Proposed {
  readonly type: 'create'
  readonly id: number
  readonly fields: NewContract
  /** When it is created, in milliseconds since the epoch. */
  readonly at: number
  /** In whose time zone its service date is today, if none is given. */
  readonly firm: FirmTimeZone
  /** Why the contract can't be for this client, if so. */
  readonly clientRefusal: ClientRefusal | undefined
  readonly closed: ClosedFor
}

interface EditContract extends Proposed {
  readonly type: 'edit'
  /** The fields to set; absent ones stay. */
  readonly changes: Partial<ContractFields>
  /** As in CreateContract, of the client to change to. */
  readonly clientRefusal: ClientRefusal | undefined
  readonly closed: ClosedFor
}

/** Who proposed it; undefined: nobody. */
interface Proposed {
  readonly proposedBy?: string | undefined
}

export type ContractCommand = CreateContract | EditContract

/** The closed period, and why this caller may write into it all the same; undefined: it may not. */
export interface ClosedFor extends ClosedPeriod {
  readonly overrideReason: string | undefined
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

function create(command: CreateContract): Decision<ContractEvent, ContractRejection> {
  const { id, fields, at, firm, clientRefusal, closed } = command
  if (clientRefusal !== undefined) return rejected(clientRefusal)
  const all = withDefaults<ContractFields, keyof typeof contractDefaults | 'serviceDate'>(fields, {
    ...contractDefaults,
    serviceDate: fields.serviceDate ?? firm.dateAt(at),
  })
  const passage = passClosing(closed, all.serviceDate)
  if (passage.type === 'rejected') return passage
  const totalFeeWithTax = totalWithTax(all.serviceFee, all.taxPercent)
  const data = { id, ...all, totalFeeWithTax, ...passage.recorded, ...proposed(command) }
  return { type: 'accepted', events: [{ type: 'ContractCreated.v1', data }] }
}

function edit(contract: Contract, command: EditContract): Decision<ContractEvent, ContractRejection> {
  const { changes, clientRefusal, closed } = command
  const changed = changedFields<ContractFields>(contract, changes)
  if (Object.keys(changed).length === 0) return { type: 'accepted', events: [] }
  const passage = passClosing(closed, contract.serviceDate, changed.serviceDate)
  if (passage.type === 'rejected') return passage
  if (changed.clientId !== undefined && clientRefusal !== undefined) return rejected(clientRefusal)
  const data = { ...changed, ...newTotal(contract, changed), ...passage.recorded, ...proposed(command) }
  return { type: 'accepted', events: [{ type: 'ContractEdited.v1', data }] }
}

const proposed = ({ proposedBy }: Proposed): Proposed => (proposedBy === undefined ? {} : { proposedBy })

function newTotal(contract: Contract, changed: Partial<ContractFields>): { totalFeeWithTax?: string } {
  const { serviceFee, taxPercent } = changed
  if (serviceFee === undefined && taxPercent === undefined) return {}
  const totalFeeWithTax = totalWithTax(serviceFee ?? contract.serviceFee, taxPercent ?? contract.taxPercent)
  return totalFeeWithTax === contract.totalFeeWithTax ? {} : { totalFeeWithTax }
}

/** Whether a change that touches these dates is allowed, and what its event records of that: in open time nothing. */
function passClosing({ closedThrough, overrideReason }: ClosedFor, ...dates: readonly (string | undefined)[]) {
  // Dates of this form are ordered like their texts.
  const isClosed = closedThrough !== null && dates.some((date) => date !== undefined && date <= closedThrough)
  if (!isClosed) return { type: 'passed', recorded: {} } as const
  if (overrideReason !== undefined) return { type: 'passed', recorded: { overrideReason } } as const
  return rejected({ type: 'period-closed', closedThrough })
}

function rejected(rejection: ContractRejection): { type: 'rejected'; rejection: ContractRejection } {
  return { type: 'rejected', rejection }
}

const HUNDRED = new Big(100)
const HUNDREDTH = new Big('0.01')

/** fee × (1 + percent / 100), exact, never rounded. Multiplies by 0.01 because big.js rounds divisions. */
export function totalWithTax(fee: string, taxPercent: string): string {
  return new Big(taxPercent).plus(HUNDRED).times(HUNDREDTH).times(fee).toFixed()
}
