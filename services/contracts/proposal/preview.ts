import Big from 'big.js'
import { readAsOf, stateAt } from '../../../shared/event-sourcing/past-states.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { Sum } from '../../../shared/event-sourcing/ports/ledger.ts'
import { datesIn } from '../../../shared/fields/local-date.ts'
import type { ProposalStatus } from '../../../shared/fields/proposal-fields.ts'
import { CLOSING, closingView } from '../closing/view.ts'
import { type ContractCommand, decide } from '../contract/decide.ts'
import { type Contract, evolve } from '../contract/evolve.ts'
import { contractsView } from '../contract/view.ts'
import type { FirmRecord } from '../firm/firm.ts'
import { billed, billedIn } from '../report/billed.ts'
import type { ReportClock } from '../report/report-clock.ts'
import type { Proposal } from './evolve.ts'
import { expiryOf } from './proposals.ts'

/** The effect of accepting a proposal. */
export interface Preview {
  /** undefined where a contract is created. */
  readonly before: Contract | undefined
  readonly after: Contract
  /** The sums of all contracts of the months concerned, by `YYYY-MM`. */
  readonly months: readonly { readonly month: string; readonly before: Sum; readonly after: Sum }[]
  /** The day through which the books are closed, as `YYYY-MM-DD`, if that forbids the change; else null. */
  readonly closedThrough: string | null
}

/**
 * Previews proposals: what accepting an open one would do now, and what accepting one that has ended did, or would have
 * done, at its end. Month sums are those of the report as of the same moment. Throws StoreUnavailable.
 */
export function createPreviews(
  { events, view }: Pick<Database, 'events' | 'view'>,
  clock: Pick<ReportClock, 'now' | 'hasPassed'>,
  firm: Pick<FirmRecord, 'currencyAt' | 'timeZoneAt'>,
) {
  const contracts = { events, view: view(contractsView) }
  const closings = { events, view: view(closingView) }

  /** The contract at a moment or, if that is undefined, at the version that the edit applies to. */
  async function contractBefore(proposal: Proposal, moment: number | undefined): Promise<Contract | undefined> {
    if (proposal.action === 'create') return undefined
    const id = String(proposal.contractId)
    const then = moment === undefined ? undefined : await readAsOf(contracts, id, moment)
    // A clock that was behind may have given the proposal an earlier time than its contract.
    return then?.state ?? (await stateAt(contracts, id, proposal.contractVersion))
  }

  /** When a proposal ended; undefined: it is open. One that was outdated before it expired ended when it was outdated. */
  async function endOf(proposal: Proposal, status: ProposalStatus): Promise<number | undefined> {
    if (proposal.decision || status === 'open') return proposal.decision?.at
    if (proposal.action === 'create') return expiryOf(proposal)
    const { contractId, contractVersion: afterVersion } = proposal
    const stream = { category: contractsView.category, id: String(contractId) }
    const outdating = await events.readStream(stream, { afterVersion, upToVersion: afterVersion + 1 })
    return Math.min(expiryOf(proposal), ...outdating.map(({ at }) => at))
  }

  /** The months of both dates as of a moment; `isIncluded`: its sums include the change already. */
  async function monthsOf(sides: Pick<Preview, 'before' | 'after'>, asOf: number, isIncluded: boolean) {
    const rounded = billedIn(await firm.currencyAt(asOf))
    const { before, after } = sides
    const shown = [before, after].flatMap((contract) => (contract ? [contract.serviceDate.slice(0, 7)] : []))
    const months = [...new Set(shown)].sort().map(async (month) => {
      const query = { where: {}, from: `${month}-01`, to: `${month}-31`, asOf, rounded }
      const { sums } = await contracts.view.ledger.sums({ ...query, groupBy: [], limit: 1, offset: 0 })
      const counted = (contract: Contract | undefined) =>
        contract?.serviceDate.startsWith(month) ? countedAs(contract, rounded.decimals) : NOTHING
      if (isIncluded) return { month, before: changed(sums, counted(after), counted(before)), after: sums }
      return { month, before: sums, after: changed(sums, counted(before), counted(after)) }
    })
    return await Promise.all(months)
  }

  /** `made`: as of when the proposal was made, instead of when it ended, or now. */
  return async (proposal: Proposal, status: ProposalStatus, made?: 'made'): Promise<Preview> => {
    const pastMoment = made ? proposal.createdAt : await endOf(proposal, status)
    const moment = pastMoment ?? (await clock.now())
    if (pastMoment !== undefined) await clock.hasPassed(pastMoment)
    const isIncluded = !made && status === 'accepted'
    const before = await contractBefore(proposal, made || isIncluded ? undefined : moment)
    const closedThrough = (await readAsOf(closings, CLOSING.id, moment))?.state.closedThrough ?? null
    // Versions only matter for appends.
    const closed = { closedThrough, version: 0, overrideReason: 'previewed' }
    const firmThen = { dateAt: datesIn(await firm.timeZoneAt(moment)), version: 0 }
    const { after, isInClosedPeriod } = applied(before, proposal, { at: moment, closed, firm: firmThen })
    const months = await monthsOf({ before, after }, Math.max(moment, before?.updatedAt ?? 0), isIncluded)
    return { before, after, months, closedThrough: isInClosedPeriod ? closedThrough : null }
  }
}

type Circumstances = Pick<Extract<ContractCommand, { type: 'create' }>, 'at' | 'firm' | 'closed'>

/** The contract after the proposal is carried out. */
function applied(before: Contract | undefined, { action, fields }: Proposal, circumstances: Circumstances) {
  const decision = decide(
    before,
    action === 'edit'
      ? { type: 'edit', changes: fields, ...circumstances, clientRefusal: undefined }
      : { type: 'create', id: 0, fields, ...circumstances, clientRefusal: undefined },
  )
  const events = decision.type === 'accepted' ? decision.events : []
  const { at } = circumstances
  const after = events.reduce<Contract | undefined>((state, event) => evolve(state, { ...event, at }), before)
  if (after === undefined) throw new Error('A proposal names a contract that is not in the log.')
  return { after, isInClosedPeriod: events.some(({ data }) => data.overrideReason !== undefined) }
}

const NOTHING: Sum = { count: 0, amounts: {} }

function countedAs({ serviceFee, totalFeeWithTax }: Contract, decimals: number): Sum {
  return { count: 1, amounts: { serviceFee, totalFeeWithTax, billed: billed(totalFeeWithTax, decimals) } }
}

/** A sum with one part replaced. */
function changed(sum: Sum, from: Sum, to: Sum): Sum {
  const amounts = ['serviceFee', 'totalFeeWithTax', 'billed'].map((name) => {
    const amountIn = (one: Sum) => new Big(one.amounts[name] ?? 0)
    return [name, amountIn(sum).minus(amountIn(from)).plus(amountIn(to)).toFixed()] as const
  })
  return { count: sum.count - from.count + to.count, amounts: Object.fromEntries(amounts) }
}
