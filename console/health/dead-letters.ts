import { html, nothing, type TemplateResult } from 'lit-html'
import { dates } from '../format/formats.ts'
import { showProblem } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { rangeText } from '../lists/paging.ts'
import { showPaging } from '../lists/show-paging.ts'
import { type Replay, reachesMore, replayText } from './replay.ts'

interface DeadLetter {
  readonly id: string
  readonly at: string
  readonly reason: string
  readonly type: string
  readonly key: string
  /** Whether it is only the beginning of the message, which can't be handled again. */
  readonly isCut: boolean
}

/** A page of the messages that were set aside. */
export interface DeadLetterPage {
  readonly deadLetters: readonly DeadLetter[]
  readonly total: number
  readonly offset: number
}

const REPLAY = '/operations/dead-letters/replay'

/** Shows the messages that were set aside (dead letters), and has them handled again. `changed`: after a replay. */
export function createDeadLetters(
  { api, document, signal, update, announce, link, may }: PageContext,
  changed: () => Promise<void>,
) {
  const mayReplay = () => may(REPLAY, 'POST')
  let isReplaying = false
  let problem: unknown
  let outcome = ''

  /** One request takes some seconds at most, so for all of them it is repeated while it reaches more. */
  async function replay(ids?: readonly string[]): Promise<void> {
    ;[isReplaying, problem, outcome] = [true, undefined, '']
    update()
    const done: Replay[] = []
    try {
      do {
        const { body } = await api.request('POST', 'operations/dead-letters/replay', { body: ids ? { ids } : {} })
        done.push(body)
      } while (!ids && !signal.aborted && reachesMore(done))
    } catch (error) {
      problem = error
    }
    isReplaying = false
    if (done.length > 0) {
      outcome = replayText(done)
      announce(outcome)
    }
    await changed()
  }

  function view({ deadLetters, total, offset }: DeadLetterPage, waiting: number | null): TemplateResult {
    const range = { offset, shown: deadLetters.length, total }
    return html`
      <p>Messages about businesses that the contracts service could not handle. The others flow on; these wait until they are handled again.</p>
      ${problem === undefined ? nothing : showProblem(problem)}
      ${outcome === '' ? nothing : html`<p class="notice">${outcome}</p>`}
      ${
        total === 0
          ? html`<p class="quiet">${waiting === null ? 'Unknown now.' : 'There are none.'}</p>`
          : html`
        <div class="heading">
          <p class="range">${rangeText(range, navigator.languages)}</p>
          ${replayAll()}
        </div>
        ${showTable(deadLetters, mayReplay() ? { isReplaying, start: (id) => void replay([id]) } : undefined)}
        ${showPaging(range, (to) => link('/health', { offset: to === 0 ? undefined : String(to) }))}`
      }
    `
  }

  function replayAll(): TemplateResult {
    if (!mayReplay()) {
      return html`<p class="quiet">Replaying them requires a key with the scope <code>${document.scopeOf(REPLAY, 'POST')}</code>.</p>`
    }
    return html`<button type="button" ?disabled=${isReplaying} @click=${() => void replay()}>${isReplaying ? 'Replaying…' : 'Replay all'}</button>`
  }

  return { view }
}

interface ReplayOne {
  readonly isReplaying: boolean
  readonly start: (id: string) => void
}

/** `replay`: undefined if the key may not. */
function showTable(deadLetters: readonly DeadLetter[], replay: ReplayOne | undefined): TemplateResult {
  return html`<div class="table-box">
    <table class="records letters">
      <caption class="visually-hidden">Messages set aside, oldest first</caption>
      <thead><tr>
        <th scope="col">Message</th><th scope="col">Set aside</th><th scope="col">Reason</th>
        <th scope="col">Key of the message</th>${replay ? html`<th scope="col"><span class="visually-hidden">Replay</span></th>` : nothing}
      </tr></thead>
      <tbody>${deadLetters.map((letter) => showRow(letter, replay))}</tbody>
    </table>
  </div>`
}

function showRow(letter: DeadLetter, replay: ReplayOne | undefined): TemplateResult {
  const { id, at, reason, type, key, isCut } = letter
  return html`<tr>
    <th scope="row" data-label="Message"><span><code>${id}</code> <bdi class="type">${type}</bdi></span></th>
    <td data-label="Set aside"><time datetime=${at} title=${at}>${dates.moment(at)}</time></td>
    <td data-label="Reason"><bdi>${reason}</bdi></td>
    <td data-label="Key of the message"><bdi><code>${key}</code></bdi></td>
    ${replay ? html`<td data-label="Replay"><button type="button" aria-label="Replay ${id}" ?disabled=${replay.isReplaying || isCut} @click=${() => replay.start(id)}>Replay</button></td>` : nothing}
  </tr>`
}
