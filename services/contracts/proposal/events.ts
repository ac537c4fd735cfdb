import type { NewContract } from '../contract/decide.ts'
import type { ContractFields } from '../contract/events.ts'

/** What accepting a proposal would do; only the fields that are set. */
export type ProposedChange =
  | { readonly action: 'create'; readonly fields: NewContract }
  | {
      readonly action: 'edit'
      readonly contractId: number
      /** The only version of the contract that the edit is meant for. */
      readonly contractVersion: number
      readonly fields: Partial<ContractFields>
    }

/** What was proposed, why, and by whom: authors are no part of what views fold, so they are here, too. */
export type ProposedFields = ProposedChange & {
  readonly id: string
  readonly reason: string
  readonly proposedBy: string
}

/** A change of a contract was proposed. */
export interface ProposalMade {
  readonly type: 'ProposalMade.v1'
  readonly data: ProposedFields
}

/** The contract was written, by the commit with the proposal's decision id; this notes it where lists see it. */
export interface ProposalAccepted {
  readonly type: 'ProposalAccepted.v1'
  readonly data: { readonly contractId: number; readonly decidedAt: number; readonly decidedBy: string }
}

/** Nothing will come of it. */
export interface ProposalDeclined {
  readonly type: 'ProposalDeclined.v1'
  readonly data: { readonly reason: string; readonly decidedBy: string }
}

export type ProposalEvent = ProposalMade | ProposalAccepted | ProposalDeclined
