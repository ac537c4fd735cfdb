import { html, nothing, type TemplateResult } from 'lit-html'
import type { Json } from '../api/json.ts'
import { choiceLabel } from '../fields/fields.ts'
import { dayOf, startOfDay } from '../format/dates.ts'
import { decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { reloadWhileVisible } from '../health/reload-while-visible.ts'
import { createIssuedKey, secretLost, showGrace } from '../keys/secret.ts'
import { showTime } from '../keys/show-key.ts'
import { parts, text } from '../languages/texts.ts'
import { showFilter } from '../lists/filters.ts'
import { showPaged } from '../lists/paged.ts'
import { pageIn } from '../lists/paging.ts'
import { type Column, showTable } from '../lists/table.ts'
import type { RecordForm } from '../records/form.ts'
import { showState, type Webhook, webhookForm } from './webhook.ts'

/** An attempt to deliver an event. */
interface Delivery {
  readonly eventId: string
  readonly type: string
  readonly attempt: number
  readonly at: string
  readonly status: number | null
  readonly reason: string | null
  readonly milliseconds: number
  readonly nextAttemptAt: string | null
}

interface Loaded {
  readonly webhook: Webhook
  readonly deliveries: readonly Delivery[]
}

const COLUMNS: readonly Column<Delivery>[] = [
  [text('word.when'), ({ at }) => showTime(at, '')],
  [text('webhooks.event'), ({ type, eventId }) => html`<span>${choiceLabel(type)} <code>${eventId}</code></span>`],
  [text('webhooks.attempt'), ({ attempt }) => attempt, 'decimal'],
  [text('webhooks.answer'), ({ status, reason }) => html`<span>${status} <bdi>${reason}</bdi></span>`],
  [text('webhooks.milliseconds'), ({ milliseconds }) => decimals.plain(milliseconds), 'decimal'],
  [text('webhooks.nextAttempt'), ({ nextAttemptAt }) => showTime(nextAttemptAt, '–')],
]

/** One webhook: its state, its settings, and what was delivered. It refreshes itself. */
export function webhookPage(context: PageContext): Page {
  const { api, document, id, query, signal, update, announce, go } = context
  const path = `webhooks/${encodeURIComponent(id)}`
  const sending = createSending(context)
  let form: RecordForm | undefined
  let outcome = ''
  const issued = createIssuedKey(context, 'webhooks')
  let [since, graceSeconds] = [dayOf(new Date()), 86_400]
  const loader = createLoader<Loaded>(load, { signal, update, keepsLast: true })
  reloadWhileVisible(loader, signal)

  async function load(signal: AbortSignal): Promise<Loaded> {
    const [webhook, { deliveries }] = await Promise.all([
      api.get(path, { signal }),
      api.get(`${path}/deliveries`, { signal }),
    ])
    form ??= webhookForm(context, save, webhook)
    return { webhook, deliveries }
  }

  /** Does something with the webhook, announces it, and shows the result. Returns what Mint has answered. */
  async function act(said: string, method: string, at: string, body?: object): Promise<Json> {
    const { body: answer } = await api.request(method, path + at, { body })
    // It is shown only once, so it stays whatever is done next, such as a test.
    if (answer?.secret !== undefined) issued.show({ key: answer.secret, name: answer.url }, said)
    outcome = said
    announce(said)
    await loader.load()
    return answer
  }

  async function save(body: object): Promise<void> {
    form = webhookForm(context, save, await act(text('word.changesSaved'), 'PATCH', '', body))
  }

  async function remove(): Promise<void> {
    if (!confirm(text('webhooks.deleteQuestion'))) return
    await api.request('DELETE', path)
    go('/webhooks', text('webhooks.deleted'))
  }

  const button = (label: string, run: () => Promise<void>, isDangerous = false) =>
    html`<button type="button" class=${isDangerous ? 'danger' : nothing} ?disabled=${sending.isRunning()} @click=${() => sending.run(run)}>${label}</button>`

  function actions({ pausedReason }: Webhook): TemplateResult {
    const isPaused = pausedReason !== null
    const pause = () => act(text(isPaused ? 'webhooks.resumed' : 'webhooks.paused'), 'PATCH', '', { paused: !isPaused })
    return html`
      ${button(text('webhooks.test'), () => act(text('webhooks.tested'), 'POST', '/test'))}
      ${button(text(isPaused ? 'word.resume' : 'webhooks.pause'), pause)}
      ${button(text('webhooks.delete'), remove, true)}
    `
  }

  function view({ webhook, deliveries }: Loaded): TemplateResult {
    const { waiting, lastFailure } = webhook
    const { offset, limit } = pageIn(query())
    const rows = deliveries.slice(offset, offset + limit)
    const range = { offset, shown: rows.length, total: deliveries.length }
    const replay = async () =>
      since === '' ? undefined : await act(text('webhooks.replayed'), 'POST', '/replay', { since: startOfDay(since) })
    const rotate = () => act(text('keys.rotatedNow'), 'POST', '/rotate', { graceSeconds }).catch(secretLost('webhooks'))
    return html`
      <p>${showState(webhook)} ${text('webhooks.count', { count: waiting })}</p>
      ${lastFailure ? html`<p>${parts('webhooks.lastFailure', { when: showTime(lastFailure.at, ''), reason: html`<bdi>${lastFailure.reason}</bdi>` })}</p>` : nothing}
      ${outcome === '' ? nothing : html`<p class="notice">${outcome}</p>`}
      ${sending.view()}
      ${issued.view()}
      ${form?.view()}
      <section class="key-action">
        <h2>${text('keys.newKey')}</h2>
        ${showGrace(document, graceSeconds, (chosen) => (graceSeconds = chosen))}
        <p>${button(text('keys.rotateKey'), rotate)}</p>
      </section>
      <section class="key-action">
        <h2>${text('webhooks.sendAgain')}</h2>
        ${showFilter({ name: 'since', label: text('webhooks.since'), kind: 'date', choices: [] }, { value: since, changed: (day) => (since = day) })}
        <p>${button(text('webhooks.replay'), replay)}</p>
      </section>
      <h2>${text('webhooks.deliveries')}</h2>
      ${showPaged(range, showTable({ caption: text('webhooks.deliveries'), kind: 'deliveries', columns: COLUMNS, rows }), context)}
    `
  }

  return {
    title: () => loader.map(({ webhook }) => webhook.url, text('webhooks.one')),
    view: () => showLoaded(loader, view),
    actions: () => loader.map(({ webhook }) => actions(webhook), html``),
    queryChanged: update,
    hasUnsavedInput: () => issued.question() || sending.isRunning() || (form?.hasUnsavedInput() ?? false),
  }
}
