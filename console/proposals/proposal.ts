import { html, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { showMoment } from '../fields/show.ts'
import { parts, text } from '../languages/texts.ts'
import { authorOf } from '../records/history.ts'

/** A change to a contract that somebody proposed, as lists contain it. */
export interface Proposal {
  readonly id: string
  readonly action: 'create' | 'edit'
  readonly contractId: number | null
  /** The fields that it sets. */
  readonly fields: RecordJson
  readonly reason: string
  readonly status: 'open' | 'accepted' | 'declined' | 'expired' | 'outdated'
  readonly createdAt: string
  readonly by: string
  readonly byName: string | null
  readonly declineReason: string | null
}

interface MonthSums {
  readonly count: number
  readonly billed: string
}

/** A proposal with what accepting it does. */
export interface PreviewedProposal extends Proposal {
  readonly preview: {
    readonly before: RecordJson | null
    readonly after: RecordJson
    readonly months: readonly { readonly month: string; readonly before: MonthSums; readonly after: MonthSums }[]
  }
}

/** What is proposed, in a few words. */
export const whatOf = ({ action, contractId }: Proposal): string =>
  action === 'create' ? text('kind.new.contracts') : text('proposals.edit', { id: String(contractId) })

/** Who proposed it, when, and why. The reason comes last: whatever it says, it can't look like another author. */
export function showOrigin(proposal: Proposal): TemplateResult {
  const values = { author: authorOf(proposal), moment: showMoment(proposal.createdAt) }
  return html`${parts('proposals.origin', { ...values, reason: html`<bdi>${proposal.reason}</bdi>` })}`
}
