import type { NewContract } from '../contract/decide.ts'
import type { ContractFields } from '../contract/events.ts'

/** What accepting a proposal does. */
export type ProposedChange =
  | { readonly action: 'create'; readonly fields: NewContract }
  | {
      readonly action: 'edit'
      readonly contractId: number
      /** The version of the contract that the edit applies to, and no other. */
      readonly contractVersion: number
      readonly fields: Partial<ContractFields>
    }

/** What was proposed, why, and by whom. The author is included because views don't see the metadata of commits. */
export type ProposedFields = ProposedChange & {
  readonly id: string
  readonly reason: string
  readonly proposedBy: string
}

/** A change to a contract was proposed. */
export interface ProposalMade {
  readonly type: 'ProposalMade.v1'
  readonly data: ProposedFields
}

/** The contract was written, in the commit with the proposal's decision id. Recorded here so that lists show it. */
export interface ProposalAccepted {
  readonly type: 'ProposalAccepted.v1'
  readonly data: { readonly contractId: number; readonly decidedAt: number; readonly decidedBy: string }
}

/** The proposal was declined. */
export interface ProposalDeclined {
  readonly type: 'ProposalDeclined.v1'
  readonly data: { readonly reason: string; readonly decidedBy: string }
}

export type ProposalEvent = ProposalMade | ProposalAccepted | ProposalDeclined
