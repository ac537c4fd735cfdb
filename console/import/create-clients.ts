import { html, type TemplateResult } from 'lit-html'
import { ApiProblem } from '../api/problem.ts'
import { readCsvFile } from '../csv/csv-file.ts'
import { importFile } from '../csv/import-file.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import { pieceSender } from './import-run.ts'
import { businessesNamed } from './missing-clients.ts'

/** How often to check whether the contracts service knows a new client, and the pause between checks in milliseconds. */
const [TRIES, PAUSE] = [30, 300]
/** The most characters that the API searches for. */
const MAX_SEARCH = 200

/** Offers to create the clients that a file names and Mint doesn't know. `created` is called once they are there. */
export function createMissingClients(context: PageContext, created: () => void) {
  const { api, signal } = context
  const sending = createSending(context)

  /** As a separate import: a second click creates nothing twice. */
  async function create(names: readonly string[]): Promise<void> {
    const file = await readCsvFile(async function* () {
      yield new TextEncoder().encode(businessesNamed(names))
    })
    const options = { many: 'businesses', file, mapping: file.columns, isCheck: false, signal }
    for await (const { wrong } of importFile(pieceSender(api, signal), options)) {
      const [refusal] = wrong
      if (refusal) throw new ApiProblem(400, { code: refusal.code, detail: refusal.message })
    }
    // They become known in the order in which they were created.
    for (let tries = 0; tries < TRIES && !(await isKnown(names.at(-1) ?? '')); tries++) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
    }
    created()
  }

  /** Of the clients that a search finds, the newest is first. */
  async function isKnown(name: string): Promise<boolean> {
    const { clients } = await api.get('clients', { query: { search: name.slice(0, MAX_SEARCH), limit: 1 }, signal })
    return clients[0]?.displayName === name
  }

  const list = (names: readonly string[]) =>
    names.map((name, index) => html`${index === 0 ? '' : ', '}<bdi>${name}</bdi>`)

  return (names: readonly string[]): TemplateResult => html`<div class="warning">
    <p>${parts('import.missingClients', { count: names.length, names: list(names) })}</p>
    <p>${text('import.missingAdvice')}</p>
    ${sending.view()}
    <button type="button" ?disabled=${sending.isRunning()} @click=${() => sending.run(() => create(names))}>
      ${sending.isRunning() ? text('import.creatingClients') : text('import.createClients', { count: names.length })}
    </button>
  </div>`
}
