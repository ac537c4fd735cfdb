import { z } from 'zod'
import { choice } from './choice.ts'
import { closingReason } from './closing-fields.ts'
import { contractFields } from './contract-fields.ts'
import { rulesOf } from './field-table.ts'
import { contractNumber } from './identifiers.ts'
import { grouped, typeMessage } from './rule.ts'

export const PROPOSAL_ACTIONS = ['create', 'edit'] as const
export const PROPOSAL_STATUSES = ['open', 'accepted', 'declined', 'expired', 'outdated'] as const
export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number]

const VERSION_EXPECTED = 'the version of the contract that you read, which is its ETag'

/** Only one of these statuses; absent: any. */
export const proposalStatus = choice(PROPOSAL_STATUSES)
  .optional()
  .meta({ description: 'Only proposals of this status.' })

/** The most open and outdated proposals of one caller: listing the open ones compares each of them with its contract. */
export const MAX_UNDECIDED = 2_000
/** The message for a caller who has that many. */
export const TOO_MANY_PROPOSALS = `At most ${grouped(MAX_UNDECIDED)} of your proposals may be open or outdated. Have somebody accept or decline some of the open ones first. Outdated ones count until 30 days after they were made.`

/** Why a proposal is made, or declined. */
export const proposalReason = closingReason.meta({ description: 'Why, for those who decide.' })

/** The rules for making a proposal from a message (`rule`), where unknown fields are dropped, or from JSON. */
export function proposalRules(form: 'rule' | 'jsonRule') {
  const object = form === 'rule' ? z.object : z.strictObject
  const given = object(rulesOf(contractFields, form), { error: typeMessage('an object with fields of a contract') })
  const required = Object.entries(given.shape).flatMap(([name, rule]) => (rule.isOptional() ? [] : [name]))
  const fields = given.partial().meta({
    description: `To create a contract, its fields, of which ${required.join(', ')} are required; for an edit, only those to change.`,
  })
  const contractId = contractNumber.meta({
    ...{ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    description: 'The number of the contract to edit; only for an edit.',
  })
  const version = z
    .int({ error: typeMessage(VERSION_EXPECTED) })
    .min(1)
    .meta({ description: `For an edit, ${VERSION_EXPECTED}. At any other version the proposal is refused.` })
  const all = { action: choice(PROPOSAL_ACTIONS), contractId, version, fields, reason: proposalReason }
  const rules = {
    create: object({ ...all, fields: given }).omit({ contractId: true, version: true }),
    edit: object(all),
    /** Either of them, for the OpenAPI document and for unknown actions. */
    any: object(all).partial({ contractId: true, version: true }),
  }
  const ruleFor = (input: unknown) => {
    const { action } = Object(input) as { readonly action?: unknown }
    return action === 'create' || action === 'edit' ? rules[action] : rules.any
  }
  return { ...rules, ruleFor }
}
