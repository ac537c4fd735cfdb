import { z } from 'zod'
import { CodedError } from '../../../shared/calls/errors.ts'
import { toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { doneOrThrow, type RejectionTable } from '../../../shared/event-sourcing/outcomes.ts'
import { invalidRequest, validated } from '../../../shared/fields/check.ts'
import { uuidLike } from '../../../shared/fields/identifiers.ts'
import { limit, offset } from '../../../shared/fields/lists.ts'
import {
  type ProposalStatus,
  proposalReason,
  proposalRules,
  proposalStatus,
  TOO_MANY_PROPOSALS,
} from '../../../shared/fields/proposal-fields.ts'
import type {
  Proposal as Message,
  ProposalPreview,
  ProposalsService,
} from '../../../shared/gen/mint/contracts/v1/proposals.ts'
import { contractConcept } from '../contract/concept.ts'
import type { NewContract } from '../contract/decide.ts'
import type { Contract } from '../contract/evolve.ts'
import type { ProposalRejection } from '../proposal/decide.ts'
import type { Proposal } from '../proposal/evolve.ts'
import type { createPreviews, Preview } from '../proposal/preview.ts'
import { expiryOf, type ProposalOutcome, type Proposals } from '../proposal/proposals.ts'
import { sumsMessage } from './reports-service.ts'

const { any, ruleFor } = proposalRules('rule')
const listProposalsRequest = z.object({ status: proposalStatus, limit, offset })
const proposalRequest = z.object({ id: uuidLike })
const declineProposalRequest = proposalRequest.extend({ reason: proposalReason })

const noProposal = () => new CodedError('not_found', 'There is no proposal with this id. Check the id.')

const ENDED: Readonly<Record<Exclude<ProposalStatus, 'open'>, string>> = {
  accepted: 'It was accepted: there is nothing left to decide.',
  declined: 'It was declined. Make a new proposal if the change is still wanted.',
  expired: 'It has expired: proposals are open for 30 days. Make it again if the change is still wanted.',
  outdated: 'It is outdated: its contract has changed since. Make it again for the contract as it is now.',
}

/** The errors that callers get for rejections. */
const rejections: RejectionTable<ProposalRejection> = {
  ...contractConcept.rejections,
  'proposal-not-found': noProposal,
  ended: ({ status }) =>
    new CodedError('proposal_ended', `This proposal can no longer be decided on. ${ENDED[status]}`),
  'contract-changed': ({ version }) =>
    new CodedError(
      'precondition_failed',
      `The contract is at version ${version}: read it again before you propose to change it.`,
    ),
  'too-many-undecided': () => new CodedError('too_many_proposals', TOO_MANY_PROPOSALS),
}

/** mint.contracts.v1.ProposalsService. */
export function createProposalsService(
  proposals: Proposals,
  preview: ReturnType<typeof createPreviews>,
): ProposalsService {
  async function decided(outcome: Promise<ProposalOutcome>) {
    const { state, version, replayed } = await doneOf(outcome)
    const status = state.decision?.type ?? 'open'
    return { proposal: toMessage(state, version, status, await preview(state, status)), replayed }
  }

  return {
    async createProposal({ contractVersion, ...request }, context) {
      const { reason, ...change } = validated(ruleFor(request), { ...request, version: contractVersion }) as Made
      const made = proposals.make(toChange(change), reason, toCommandContext(context))
      const { state, version, replayed } = await doneOf(made)
      // As of the proposal's creation, so that a repeated request gets the same answer.
      return { proposal: toMessage(state, version, 'open', await preview(state, 'open', 'made')), replayed }
    },

    async listProposals(request) {
      const { status, ...page } = validated(listProposalsRequest, request)
      const { proposals: found, total } = await proposals.list({ ...page, status })
      return { proposals: found.map(({ state, version, status }) => toMessage(state, version, status)), total }
    },

    async getProposal(request) {
      const { id } = validated(proposalRequest, request)
      const found = await proposals.get(id)
      if (found === undefined) throw noProposal()
      const { state, version, status } = found
      return { proposal: toMessage(state, version, status, await preview(state, status)) }
    },

    async acceptProposal(request, context) {
      const { id } = validated(proposalRequest, request)
      return await decided(proposals.accept(id, toCommandContext(context)))
    },

    async declineProposal(request, context) {
      const { id, reason } = validated(declineProposalRequest, request)
      return await decided(proposals.decline(id, reason, toCommandContext(context)))
    },
  }
}

async function doneOf(outcome: Promise<ProposalOutcome>) {
  try {
    return doneOrThrow(await outcome, rejections)
  } catch (error) {
    if (!(error instanceof CodedError) || error.violations.length === 0) throw error
    // Violations of the contract's rules are violations in `fields`.
    throw invalidRequest(error.violations.map((one) => ({ ...one, pointer: `/fields${one.pointer}` })))
  }
}

type Made = z.output<typeof any>

function toChange({ action, contractId, version, fields }: Omit<Made, 'reason'>) {
  // The rule has checked that an edit has both, and a creation all required fields.
  if (action === 'create') return { action, fields: fields as NewContract }
  return { action, contractId: contractId as number, contractVersion: version as number, fields }
}

function toMessage(proposal: Proposal, version: number, status: ProposalStatus, preview?: Preview): Message {
  const { id, action, fields, reason, proposedBy: by, createdAt, decision } = proposal
  return {
    ...{ id, action, fields, reason, status, createdAt, by, version },
    ...(proposal.action === 'edit' && { contractId: proposal.contractId, contractVersion: proposal.contractVersion }),
    preview: preview && previewMessage(preview),
    expiresAt: expiryOf(proposal),
    ...(decision && { decidedAt: decision.at, decidedBy: decision.by }),
    ...(decision?.type === 'accepted' && { contractId: decision.contractId }),
    ...(decision?.type === 'declined' && { declineReason: decision.reason }),
  }
}

function previewMessage({ before, after, months, closedThrough }: Preview): ProposalPreview {
  const sums = months.map(({ month, before, after }) => {
    return { month, before: sumsMessage(before), after: sumsMessage(after) }
  })
  const sides = { before: before && fieldsOf(before), after: fieldsOf(after) }
  return { ...sides, months: sums, ...(closedThrough !== null && { closedThrough }) }
}

/** Without id and times, which are only known once the contract is written. */
function fieldsOf({ id: _, createdAt: __, updatedAt: ___, ...fields }: Contract): Partial<Contract> {
  return fields
}
