import { accepted, type Decision, rejected } from '../../../shared/event-sourcing/decider.ts'
import type { ProposalStatus } from '../../../shared/fields/proposal-fields.ts'
import type { ContractRejection } from '../contract/decide.ts'
import type { ProposalEvent, ProposedFields } from './events.ts'
import type { Proposal, ProposalDecision } from './evolve.ts'

interface MakeProposal {
  readonly type: 'make'
  readonly proposed: ProposedFields
  /** Why the proposal is refused; undefined: it isn't. */
  readonly rejection: ProposalRejection | undefined
}

interface DeclineProposal {
  readonly type: 'decline'
  readonly reason: string
  readonly by: string
}

/** Records in the proposal's stream that the contract was written. */
interface NoteAcceptance {
  readonly type: 'note-acceptance'
  readonly decision: Extract<ProposalDecision, { type: 'accepted' }>
}

export type ProposalCommand = MakeProposal | DeclineProposal | NoteAcceptance

export type ProposalRejection =
  | ContractRejection
  | { readonly type: 'proposal-not-found' }
  /** It can no longer be decided on. */
  | { readonly type: 'ended'; readonly status: Exclude<ProposalStatus, 'open'> }
  /** The contract is not at the version that the edit was proposed for. */
  | { readonly type: 'contract-changed'; readonly version: number }
  /** The caller has as many undecided proposals as allowed. */
  | { readonly type: 'too-many-undecided' }

/** Decides a command on a proposal; `proposal` is undefined before it is made. */
export function decide(
  proposal: Proposal | undefined,
  command: ProposalCommand,
): Decision<ProposalEvent, ProposalRejection> {
  if (command.type === 'make') {
    const { rejection, proposed } = command
    return rejection ? rejected(rejection) : accepted({ type: 'ProposalMade.v1', data: proposed })
  }
  if (proposal === undefined) return rejected({ type: 'proposal-not-found' })
  if (command.type === 'decline') {
    const { reason, by: decidedBy } = command
    if (proposal.decision) return rejected({ type: 'ended', status: proposal.decision.type })
    return accepted({ type: 'ProposalDeclined.v1', data: { reason, decidedBy } })
  }
  const { contractId, at: decidedAt, by: decidedBy } = command.decision
  if (proposal.decision) return accepted()
  return accepted({ type: 'ProposalAccepted.v1', data: { contractId, decidedAt, decidedBy } })
}
