import { html, nothing, type TemplateResult } from 'lit-html'
import { showMoment } from '../fields/show.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import { showPaging } from '../lists/paged.ts'
import { rangeText } from '../lists/paging.ts'
import { type Column, showTable } from '../lists/table.ts'
import { replayText } from './status.ts'

interface DeadLetter {
  readonly id: string
  readonly at: string
  readonly reason: string
  readonly type: string
  readonly key: string
}

/** A page of the messages that were set aside. */
export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetter[]
  readonly total: number
  readonly offset: number
}

const COLUMNS: readonly Column<DeadLetter>[] = [
  [text('health.message'), ({ id, type }) => html`<span><code>${id}</code> <bdi class="type">${type}</bdi></span>`],
  [text('health.setAside'), ({ at }) => showMoment(at)],
  [text('field.reason'), ({ reason }) => html`<bdi>${reason}</bdi>`],
  [text('health.messageKey'), ({ key }) => html`<bdi><code>${key}</code></bdi>`],
]

const REPLAY = '/operations/dead-letters/replay'

/** Shows the messages that were set aside (dead letters), and replays them. `changed` is called after a replay. */
export function createDeadLetters(context: PageContext, changed: () => Promise<void>) {
  const { api, document, signal, announce, may } = context
  const replaying = createSending(context)
  let outcome = ''

  /** One request takes at most some seconds, so this repeats it while it reaches more. */
  async function replay(): Promise<void> {
    outcome = ''
    const outcomes = new Map<string, string>()
    await replaying.run(async () => {
      let [reached, remaining] = [0, 0]
      do {
        reached = outcomes.size
        const { body } = await api.request('POST', 'operations/dead-letters/replay', { body: {} })
        for (const one of body.replayed) outcomes.set(one.id, one.outcome)
        remaining = body.remaining
        outcome = replayText(outcomes, remaining)
        // Letters that are set aside again are queued after those that weren't reached.
      } while (!signal.aborted && remaining > 0 && outcomes.size > reached)
    })
    if (outcome !== '') announce(outcome)
    await changed()
  }

  function view({ deadLetters, total, offset }: DeadLetterPage, waiting: number | null): TemplateResult {
    const range = { offset, shown: deadLetters.length, total }
    return html`
      <p>${parts('health.lettersExplained', { command: html`<code>cli/mint dead-letters discard</code>` })}</p>
      ${replaying.view()}
      ${outcome === '' ? nothing : html`<p class="notice">${outcome}</p>`}
      ${
        total === 0
          ? html`<p class="quiet">${text(waiting === null ? 'health.unknownNow' : 'health.noLetters')}</p>`
          : html`
        <div class="heading">
          <p class="range">${rangeText(range)}</p>
          ${replayAll()}
        </div>
        ${showTable({ caption: text('health.lettersCaption'), kind: 'letters', columns: COLUMNS, rows: deadLetters })}
        ${showPaging(range, context)}`
      }
    `
  }

  function replayAll(): TemplateResult {
    if (!may(REPLAY, 'POST')) {
      const scope = html`<code>${document.scopesOf(REPLAY, 'POST')}</code>`
      return html`<p class="quiet">${parts('health.replayScope', { scope })}</p>`
    }
    return html`<button type="button" ?disabled=${replaying.isRunning()} @click=${() => void replay()}>${text(replaying.isRunning() ? 'health.replaying' : 'health.replayAll')}</button>`
  }

  return { view }
}
