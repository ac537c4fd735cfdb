import { z } from 'zod'
import { calendarDateOrNull } from '../../shared/fields/calendar-date.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { bodyExampleOf, computedNamesOf, recordShapeOf, toRecordBy } from '../../shared/fields/field-table.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import {
  PROPOSAL_ACTIONS,
  PROPOSAL_STATUSES,
  proposalReason,
  proposalRules,
  proposalStatus,
} from '../../shared/fields/proposal-fields.ts'
import { formatTimestamp, timestampText } from '../../shared/fields/timestamp.ts'
import type { Proposal, ProposalPreview } from '../../shared/gen/mint/contracts/v1/proposals.ts'
import { present } from '../routes/answer.ts'
import { pageQuery } from '../schemas/read-parameters.ts'
import { authorName, total } from './fields.ts'
import { sumsFields } from './report-record.ts'

const FIELDS = { serviceFee: 175 }

const { id: _, createdAt: __, updatedAt: ___, ...proposable } = contractFields
const fieldsShape = recordShapeOf(proposable, 'ProposedContract')
const toFields = toRecordBy<object>(proposable)

const { count, totalFeeWithTax, billed } = sumsFields
const monthFields = { count, totalFeeWithTax, billed }
const monthSums = recordShapeOf(monthFields, 'MonthSums')
const toSums = toRecordBy<object>(monthFields)

const previewShape = z
  .object({
    before: fieldsShape.nullable().meta({ description: 'The contract without the change; null for a new one.' }),
    after: fieldsShape.meta({ description: 'The contract with it.' }),
    months: z
      .array(z.object({ month: z.string(), before: monthSums, after: monthSums }))
      .meta({ description: 'All contracts of the months of both service dates, as the report adds them up.' }),
    closedThrough: calendarDateOrNull.meta({
      description: 'The day through which the books are closed, if that forbids the change without `Closing-Override`.',
    }),
  })
  .meta({ id: 'ProposalPreview' })

/** A proposal as REST shows it. */
export const proposalShape = z
  .object({
    id: z.guid(),
    action: z.enum(PROPOSAL_ACTIONS),
    contractId: z.int().min(1).nullable().meta({
      description: 'The number of the contract to edit, or of the one that was created; null before that.',
    }),
    version: z.int().min(1).nullable().meta({
      description: 'The version of the contract that an edit applies to: at any other it is outdated.',
    }),
    fields: fieldsShape.partial().meta({ description: 'The fields to set, in the form of the record.' }),
    reason: z.string(),
    status: z.enum(PROPOSAL_STATUSES),
    preview: previewShape,
    createdAt: timestampText,
    by: z.string().meta({ description: 'Who proposed it: the `principal` of the API key.' }),
    byName: authorName,
    expiresAt: timestampText.meta({ description: 'Until when it can be decided on.' }),
    decidedAt: timestampText.nullable().meta({ description: 'When it was accepted or declined.' }),
    decidedBy: z.string().nullable().meta({ description: 'Who did that: the `principal` of the API key.' }),
    declineReason: z.string().nullable().meta({ description: 'Why it was declined.' }),
  })
  .meta({ id: 'Proposal' })

const listedShape = proposalShape.omit({ preview: true }).meta({ id: 'ListedProposal' })

/** A page of proposals, which have no previews: each would add up months. */
export const proposalPage = z.object({ proposals: z.array(listedShape), total }).meta({ id: 'ProposalPage' })

export const proposalListQuery = z.strictObject({ status: proposalStatus, ...pageQuery.shape })

export const proposalPath = z.strictObject({
  id: uuidLike.meta({ description: 'The id of the proposal, in any case.' }),
})

const rules = proposalRules('jsonRule')

/** The schema for a body, by its action. */
export const proposalFor = rules.ruleFor

export const newProposal = rules.any.meta({
  id: 'ProposalCreation',
  examples: [
    { action: 'edit', contractId: 7, version: 1, fields: FIELDS, reason: 'The hours of 30 January were missing.' },
    { action: 'create', fields: bodyExampleOf(contractFields), reason: 'Not billed yet.' },
  ],
})

/** What the service sets itself, in a proposal and in its fields. */
export const computedProposalFields = [
  ...computedNamesOf(contractFields),
  ...['status', 'preview', 'by', 'byName', 'expiresAt', 'decidedAt', 'decidedBy', 'declineReason'],
]

export const decline = z
  .strictObject({ reason: proposalReason })
  .meta({ id: 'DeclinedProposal', examples: [{ reason: 'They were billed with contract 6.' }] })

/** A proposal as REST shows it; without a preview where the message has none. */
export function proposalRecord(message: Proposal, byName: string | null): object {
  const { id, action, reason, status, createdAt, by, expiresAt, decidedAt, decidedBy, declineReason, preview } = message
  const { contractId = null, contractVersion: version = null } = message
  return {
    ...{ id, action, contractId, version, fields: toFields(message.fields ?? {}), reason, status },
    ...(preview && { preview: previewRecord(preview) }),
    ...{ createdAt: formatTimestamp(createdAt), by, byName, expiresAt: formatTimestamp(expiresAt) },
    decidedAt: decidedAt === undefined ? null : formatTimestamp(decidedAt),
    ...{ decidedBy: decidedBy ?? null, declineReason: declineReason ?? null },
  }
}

function previewRecord({ before, after, months, closedThrough }: ProposalPreview): object {
  return {
    before: before ? toFields(before) : null,
    after: toFields(after ?? {}),
    months: months.map(({ month, before, after }) => {
      return { month, before: toSums(present(before)), after: toSums(present(after)) }
    }),
    closedThrough: closedThrough ?? null,
  }
}
