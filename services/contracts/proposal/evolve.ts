import type { Timed } from '../../../shared/event-sourcing/event.ts'
import type { ProposalEvent, ProposedFields } from './events.ts'

interface Decided {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly by: string
}

/** How a proposal was decided. */
export type ProposalDecision =
  | (Decided & { readonly type: 'accepted'; readonly contractId: number })
  | (Decided & { readonly type: 'declined'; readonly reason: string })

/** A proposal, folded from its events. */
export type Proposal = ProposedFields & {
  /** In milliseconds since the epoch. */
  readonly createdAt: number
  readonly decision?: ProposalDecision
}

/** Applies one event. Throws when a decision precedes the proposal, which means that the log is damaged. */
export function evolve(proposal: Proposal | undefined, event: Timed<ProposalEvent>): Proposal {
  if (event.type === 'ProposalMade.v1') return { ...event.data, createdAt: event.at }
  if (proposal === undefined) throw new Error('A proposal was decided on before it was made.')
  if (event.type === 'ProposalDeclined.v1') {
    const { reason, decidedBy: by } = event.data
    return { ...proposal, decision: { type: 'declined', reason, by, at: event.at } }
  }
  const { contractId, decidedAt: at, decidedBy: by } = event.data
  return { ...proposal, decision: { type: 'accepted', contractId, by, at } }
}
