import { bytesOfPage, REPORT_BYTES } from '../../shared/budget/make-within.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import type { Proposal } from '../../shared/gen/mint/contracts/v1/proposals.ts'
import { PROPOSALS_READ } from '../../shared/kinds/services.ts'
import { documentListed } from '../openapi/documented.ts'
import {
  computedProposalFields,
  decline as declineBody,
  newProposal,
  proposalFor,
  proposalListQuery,
  proposalPage,
  proposalPath,
  proposalRecord,
  proposalShape,
} from '../records/proposal-record.ts'
import { type Answer, listed, present, written } from './answer.ts'
import { type KeyNames, namesOf } from './authors.ts'
import { endpoint, JSON_BODY, nothing, type Route } from './endpoint.ts'
import { nextPage } from './next-page.ts'

/** The proposed fields, and the contract before and after. */
const memory = bytesOfPage({ limit: 3 })
const HEADERS = ['ETag', 'Idempotency-Replayed'] as const
const decided = (description: string) => ({ 200: { description, headers: HEADERS, schema: proposalShape } })

interface Answering {
  readonly context: CallContext
  readonly apiKeys: KeyNames
  readonly isNew?: boolean
}

async function answer(
  { proposal, replayed }: { readonly proposal: Proposal | undefined; readonly replayed: boolean },
  { context, apiKeys, isNew = false }: Answering,
): Promise<Answer> {
  const message = present(proposal)
  // It is written: a name that can't be read now must not make it look like a failure.
  const byName = await apiKeys.nameOf(message.by).catch(() => null)
  const toRecord = (one: Proposal) => proposalRecord(one, byName)
  return written({ message, toRecord, replayed, context }, isNew ? `/proposals/${message.id}` : undefined)
}

const list = endpoint({
  operationId: 'listProposals',
  summary: 'List proposals',
  description: 'Newest first, without their previews.',
  answers: documentListed(proposalPage),
  scope: PROPOSALS_READ,
  query: proposalListQuery,
  memory: REPORT_BYTES,
  answer: async ({ query, context }, { proposals: service, apiKeys: keys }) => {
    const page = await service.listProposals(query, context)
    const names = await namesOf(page.proposals, keys)
    const proposals = page.proposals.map((one) => proposalRecord(one, names.get(one.by) ?? null))
    const next = nextPage(query, { count: proposals.length, total: page.total })
    return listed(JSON.stringify({ proposals, total: page.total }), next)
  },
})

const get = endpoint({
  operationId: 'getProposal',
  summary: 'Get one proposal, with a preview of what accepting it does',
  description:
    'The preview of an open proposal is computed for each request; that of an ended one is as of when it ended. There is no ETag, because the answer depends on more than the proposal.',
  answers: { 200: { description: 'The proposal.', schema: proposalShape } },
  scope: PROPOSALS_READ,
  memory,
  path: proposalPath,
  answer: async ({ path, context }, { proposals: service, apiKeys: keys }) => {
    const proposal = present((await service.getProposal(path, context)).proposal)
    return listed(JSON.stringify(proposalRecord(proposal, await keys.nameOf(proposal.by))))
  },
})

const create = endpoint({
  operationId: 'createProposal',
  summary: 'Propose to create or to edit a contract',
  description:
    'No contract is written: somebody with the scope `contracts:write` decides within 30 days. Whatever the creation or edit itself would be refused for is refused here too, except a closed period, which the preview names. An edit applies to one version of its contract.',
  answers: { 201: { description: 'The proposal.', headers: [...HEADERS, 'Location'], schema: proposalShape } },
  scope: 'contracts:propose',
  memory,
  body: { schema: newProposal, schemaFor: proposalFor, computed: computedProposalFields, mediaTypes: JSON_BODY },
  answer: async ({ body: { version, ...body }, context }, { proposals, apiKeys }) => {
    const written = await proposals.createProposal({ ...body, contractVersion: version }, context)
    return await answer(written, { context, apiKeys, isNew: true })
  },
})

const accept = endpoint({
  operationId: 'acceptProposal',
  summary: 'Accept a proposal',
  description:
    'Carries it out as one edit or creation, whose history names who accepted it (`by`) and who proposed it (`proposedBy`). The contract is written once, however often and by however many callers it is accepted.',
  answers: decided('The proposal, accepted.'),
  scope: 'contracts:write',
  memory,
  path: proposalPath,
  body: { schema: nothing, computed: [], mediaTypes: JSON_BODY, optional: true },
  answer: async ({ path, context }, { proposals, apiKeys }) =>
    await answer(await proposals.acceptProposal(path, context), { context, apiKeys }),
})

const decline = endpoint({
  operationId: 'declineProposal',
  summary: 'Decline a proposal',
  answers: decided('The proposal, declined.'),
  scope: 'contracts:write',
  memory,
  path: proposalPath,
  body: { schema: declineBody, computed: [], mediaTypes: JSON_BODY },
  answer: async ({ path, body, context }, { proposals, apiKeys }) =>
    await answer(await proposals.declineProposal({ ...path, ...body }, context), { context, apiKeys }),
})

/** Proposals: list, make, get, accept, decline. */
export const proposalRoutes: readonly Route[] = [
  { path: '/proposals', methods: { GET: list, POST: create } },
  { path: '/proposals/:id', methods: { GET: get } },
  { path: '/proposals/:id/accept', methods: { POST: accept } },
  { path: '/proposals/:id/decline', methods: { POST: decline } },
]
