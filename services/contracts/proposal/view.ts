import type { ViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { createEventReader, foldWith } from '../../../shared/event-sourcing/upcasting.ts'
import type { ProposalEvent } from './events.ts'
import { evolve, type Proposal } from './evolve.ts'

const readEvent = createEventReader<ProposalEvent>({
  'ProposalMade.v1': true,
  'ProposalAccepted.v1': true,
  'ProposalDeclined.v1': true,
})

/** Proposals, newest first, filtered by decision and by proposer. */
export const proposalsView: ViewDefinition<Proposal> = {
  name: 'proposals',
  category: 'proposal',
  idOrder: 'text',
  createdAt: ({ createdAt }) => createdAt,
  filters: { decision: ({ decision }) => decision?.type ?? 'none', proposedBy: ({ proposedBy }) => proposedBy },
  ranges: { createdAt: ({ createdAt }) => createdAt },
  searchTexts: [],
  fold: foldWith(readEvent, evolve),
}
