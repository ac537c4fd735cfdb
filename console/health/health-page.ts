import { html, nothing, type TemplateResult } from 'lit-html'
import { ApiProblem } from '../api/problem.ts'
import { decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { offsetOf, PAGE_SIZE } from '../lists/paging.ts'
import { createDeadLetters, type DeadLetterPage } from './dead-letters.ts'
import { durationText, type Follower, findingsOf, followersOf, type Service, type Status, summaryOf } from './status.ts'
import { repeatWhileVisible } from './while-visible.ts'

interface Health {
  readonly status: Status
  readonly letters: DeadLetterPage
}

/** The status of Mint. It refreshes itself; a screen reader hears of it only when the state changes. */
export function healthPage(context: PageContext): Page {
  const { api, query, signal, update, announce } = context
  let lastSaid = ''
  const health = createLoader<Health>(
    async (signal) => {
      const status: Status = (await api.get('operations/status', { signal })).body
      const offset = offsetOf(query().offset)
      const letters = status.deadLetters
        ? (await api.get('operations/dead-letters', { query: { limit: PAGE_SIZE, offset }, signal })).body
        : { deadLetters: [], total: 0 }
      say([summaryOf(status), ...findingsOf(status)].join(' '))
      return { status, letters: { ...letters, offset } }
    },
    { signal, update, keepsLast: true },
  )
  const deadLetters = createDeadLetters(context, health.load)
  repeatWhileVisible(async () => {
    await health.load()
    const problem = health.problem()
    return problem instanceof ApiProblem && problem.status === 403 ? 'over' : 'again'
  }, signal)

  function say(text: string): void {
    if (text !== lastSaid) announce(text)
    lastSaid = text
  }

  function view({ status, letters }: Health): TemplateResult {
    const findings = findingsOf(status)
    return html`
      <div class="state ${status.ready ? 'ready' : 'not-ready'}">
        <p><span class="sign" aria-hidden="true">${status.ready ? '✓' : '!'}</span> <b>${summaryOf(status)}</b></p>
        ${findings.length === 0 ? nothing : html`<ul>${findings.map((finding) => html`<li>${finding}</li>`)}</ul>`}
      </div>
      <h2>Processes</h2>
      ${processes(status.services)}
      <h2>Delays</h2>
      ${followers(status)}
      <h2>Messages set aside</h2>
      ${deadLetters.view(letters, status.deadLetters)}
    `
  }

  return {
    title: () => 'Health',
    view: () => showLoaded(health, view),
    queryChanged: () => void health.load(),
  }
}

function processes(services: readonly Service[]): TemplateResult {
  return html`<div class="table-box">
    <table class="records">
      <caption class="visually-hidden">Services and their processes</caption>
      <thead><tr>
        <th scope="col">Service</th><th scope="col">Processes</th><th scope="col">Version</th>
        <th scope="col">Stored in</th><th scope="col" class="decimal">Changes stored</th>
      </tr></thead>
      <tbody>${services.map(serviceRow)}</tbody>
    </table>
  </div>`
}

const ENGINES: Readonly<Record<string, string>> = { sqlite: 'SQLite', mongodb: 'MongoDB' }

function serviceRow({ name, problem, status }: Service): TemplateResult {
  if (!status) {
    return html`<tr><th scope="row" data-label="Service">${name}</th><td colspan="4" data-label="Problem" class="missing">${problem}</td></tr>`
  }
  const { processes, engine, position } = status
  const lines = (texts: readonly string[]) =>
    html`<ul class="lines">${texts.map((text) => html`<li>${text}</li>`)}</ul>`
  return html`<tr>
    <th scope="row" data-label="Service">${name}</th>
    <td data-label="Processes">${lines(processes.map(({ at }) => at))}</td>
    <td data-label="Version">${lines(processes.map(({ version }) => version))}</td>
    <td data-label="Stored in">${ENGINES[engine] ?? engine}</td>
    <td data-label="Changes stored" class="decimal">${decimals.plain(position)}</td>
  </tr>`
}

function followers(status: Status): TemplateResult {
  return html`<div class="table-box">
    <table class="records">
      <caption class="visually-hidden">How far behind the last change everything is</caption>
      <thead><tr>
        <th scope="col">What</th><th scope="col" class="decimal">Changes applied</th>
        <th scope="col" class="decimal">Changes behind</th><th scope="col" class="decimal">Time behind</th>
      </tr></thead>
      <tbody>${followersOf(status).map(followerRow)}</tbody>
    </table>
  </div>`
}

function followerRow({ name, lag }: Follower): TemplateResult {
  if (!lag) {
    return html`<tr><th scope="row" data-label="What">${name}</th><td colspan="3" data-label="Behind" class="decimal missing">unknown now</td></tr>`
  }
  const { position, lagEvents = 0, lagSeconds } = lag
  return html`<tr>
    <th scope="row" data-label="What">${name}</th>
    <td data-label="Changes applied" class="decimal">${position === undefined ? '–' : decimals.plain(position)}</td>
    <td data-label="Changes behind" class="decimal">${decimals.plain(lagEvents)}</td>
    <td data-label="Time behind" class="decimal">${lagSeconds === undefined ? '–' : durationText(lagSeconds)}</td>
  </tr>`
}
