import { html, type TemplateResult } from 'lit-html'
import { textsOf } from '../fields/texts.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createForm, type RecordForm } from '../records/form.ts'
import { kind } from '../records/kinds.ts'
import { createWriting } from '../records/writing.ts'

/** A webhook as the API returns it. */
export interface Webhook {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  readonly description: string
  readonly pausedReason: 'manual' | 'gone' | 'failing' | null
  readonly lastDeliveredAt: string | null
  readonly lastFailure: { readonly at: string; readonly reason: string } | null
  readonly waiting: number
}

const webhooks = kind('webhook', 'webhooks', { notInList: [], linked: 'url' })

/** The form of a webhook; undefined: of a new one. */
export function webhookForm(
  context: PageContext,
  submit: (values: object) => Promise<void>,
  webhook?: Webhook,
): RecordForm {
  const writing = createWriting(webhooks, context)
  const texts = webhook ? textsOf(writing.fields, { ...webhook }) : {}
  const submitLabel = text(webhook ? 'word.save' : 'webhooks.create')
  const options = { writing, texts, before: webhook && texts, submitLabel, submit }
  return createForm({ ...options, cancelLink: context.link('/webhooks') }, context)
}

/** Whether it receives events, or why not. */
export function showState({ pausedReason, lastDeliveredAt, lastFailure }: Webhook): TemplateResult {
  const isRetrying = lastFailure !== null && lastFailure.at > (lastDeliveredAt ?? '')
  const state = pausedReason ?? (isRetrying ? 'retrying' : 'active')
  return html`<span class="badge ${state}">${text(`webhooks.state.${state}`)}</span>`
}
