import { html, nothing, type TemplateResult } from 'lit-html'
import type { ExactNumber } from '../api/json.ts'
import { decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { pageIn } from '../lists/paging.ts'
import { type Column, showTable } from '../lists/table.ts'
import { createDeadLetters, type DeadLetterPage } from './dead-letters.ts'
import { reloadWhileVisible } from './reload-while-visible.ts'
import { durationText, type Follower, findingsOf, followersOf, type Service, type Status, summaryOf } from './status.ts'

interface Health {
  readonly status: Status
  readonly letters: DeadLetterPage
}

/** The status of Mint. It refreshes itself; screen readers announce it only when the state changes. */
export function healthPage(context: PageContext): Page {
  const { api, query, signal, update, announce } = context
  let lastSaid = ''
  const health = createLoader<Health>(
    async (signal) => {
      const status: Status = await api.get('operations/status', { signal })
      const page = pageIn(query())
      const letters = status.deadLetters
        ? await api.get('operations/dead-letters', { query: page, signal })
        : { deadLetters: [], total: 0 }
      say([summaryOf(status), ...findingsOf(status)].join(' '))
      return { status, letters: { ...letters, offset: page.offset } }
    },
    { signal, update, keepsLast: true },
  )
  const deadLetters = createDeadLetters(context, health.load)
  reloadWhileVisible(health, signal)

  function say(words: string): void {
    if (words !== lastSaid) announce(words)
    lastSaid = words
  }

  function view({ status, letters }: Health): TemplateResult {
    const findings = findingsOf(status)
    const state = !status.ready ? 'problem' : findings.length > 0 ? 'warning' : 'notice'
    return html`
      <div class="state ${state}">
        <p><span class="sign" aria-hidden="true">${state === 'notice' ? '✓' : '!'}</span> <b>${summaryOf(status)}</b></p>
        ${findings.length === 0 ? nothing : html`<ul>${findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
      </div>
      <h2>${text('health.processes')}</h2>
      ${showTable({ caption: text('health.processesCaption'), columns: PROCESSES, rows: status.services })}
      <h2>${text('health.delays')}</h2>
      ${showTable({ caption: text('health.delaysCaption'), columns: DELAYS, rows: followersOf(status) })}
      <h2>${text('health.lettersTitle')}</h2>
      ${deadLetters.view(letters, status.deadLetters)}
    `
  }

  return {
    title: () => text('health.title'),
    view: () => showLoaded(health, view),
    queryChanged: () => void health.load(),
  }
}

const ENGINES: Readonly<Record<string, string>> = { sqlite: 'SQLite', mongodb: 'MongoDB' }

const lines = (texts: readonly string[] = []): TemplateResult =>
  html`<ul class="lines">${texts.map((line) => html`<li>${line}</li>`)}</ul>`

const PROCESSES: readonly Column<Service>[] = [
  [text('health.service'), ({ name }) => name],
  [text('health.processes'), ({ status }) => lines(status?.processes.map(({ at }) => at))],
  [text('health.version'), ({ status }) => lines(status?.processes.map(({ version }) => version))],
  [text('health.storedIn'), ({ status }) => ENGINES[status?.engine ?? ''] ?? status?.engine],
  [text('health.changesStored'), ({ status }) => status && decimals.plain(status.position), 'decimal'],
]

const DELAYS: readonly Column<Follower>[] = [
  [text('word.what'), ({ name }) => name],
  [text('health.changesApplied'), ({ lag }) => lag && figure(lag.position, decimals.plain), 'decimal'],
  [
    text('health.changesBehind'),
    ({ lag }) => (lag ? figure(lag.lagEvents, decimals.plain) : text('health.behindUnknown')),
    'decimal',
  ],
  [text('health.timeBehind'), ({ lag }) => lag && figure(lag.lagSeconds, durationText), 'decimal'],
]

const figure = (value: ExactNumber | undefined, show: (value: ExactNumber) => string): string =>
  value === undefined ? '–' : show(value)
