import { html, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { createClientBox } from '../fields/client-box.ts'
import type { ClientNames } from '../fields/client-names.ts'
import type { Field } from '../fields/fields.ts'
import { type Texts, textsOf } from '../fields/texts.ts'
import { addMonths, monthOf } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { text } from '../languages/texts.ts'
import { contracts } from '../records/kinds.ts'
import { fetchMonth, missingFrom, toRepeat } from './repeat.ts'

/** As many rows as a page shows without getting slow. */
const MAX_ROWS = 300
const MONTHS = 12

interface RepeatOptions {
  readonly fields: readonly Field[]
  readonly names: ClientNames
  /** The rows that the grid has already. */
  readonly entered: () => readonly { readonly texts: Texts }[]
  readonly add: (rows: readonly Texts[]) => void
}

/** Copies the services of a month into the grid, those of all clients or of one after another. */
export function createRepeatMonth({ fields, names, entered, add }: RepeatOptions, context: PageContext) {
  const { api, signal, update } = context
  const repeated = fields.filter(({ name }) => name === 'serviceDate' || contracts.duplicated?.includes(name))
  const now = monthOf(dayOf(new Date()))
  const months = Array.from({ length: MONTHS }, (_, index) => addMonths(now, -index))
  const clientBox = createClientBox(context, names)
  const sending = createSending(context)
  let [month, clientId, outcome] = [addMonths(now, -1), '', '']

  /** The contracts of a month; undefined: there are too many. */
  async function contractsIn(month: string): Promise<readonly RecordJson[] | undefined> {
    const { contracts, total } = await fetchMonth(api.get, { month, clientId, most: MAX_ROWS }, signal)
    if (total <= MAX_ROWS) return contracts
    outcome = text('grid.tooMany', { month: dates.month(month), count: total })
    return undefined
  }

  async function repeat(): Promise<void> {
    const nextMonth = addMonths(month, 1)
    const [found, next] = await Promise.all([contractsIn(month), contractsIn(nextMonth)])
    if (!found || !next) return
    const services = toRepeat(found, next)
    const typed = entered().map(({ texts }) => texts)
    const inNextMonth = typed.filter(({ serviceDate = '' }) => monthOf(serviceDate) === nextMonth)
    const missing = missingFrom([...toRepeat(next, []), ...inNextMonth], services)
    await names.load(missing.map((contract) => contract.clientId))
    add(missing.map((contract) => textsOf(repeated, contract)))
    const shown = dates.month(month)
    const present = services.length - missing.length
    outcome = [
      services.length === 0 ? text('grid.noneInMonth', { month: shown }) : '',
      missing.length === 0 ? '' : text('grid.added', { month: shown }),
      present === 0 ? '' : text('grid.present', { month: dates.month(nextMonth), count: present }),
    ].join(' ')
  }

  function chooseClient(id: string): void {
    clientId = id
    update()
  }

  return {
    view: (): TemplateResult => html`<section class="repeat" aria-labelledby="repeat">
      <h2 id="repeat">${text('grid.repeat')}</h2>
      <div class="filter-fields">
        <div><label for="repeated">${text('word.month')}</label>
          <select id="repeated" @change=${(event: Event) => (month = (event.target as HTMLSelectElement).value)}>
            ${months.map((one) => html`<option value=${one} ?selected=${one === month}>${dates.month(one)}</option>`)}
          </select></div>
        <div><label for="repeated-client">${text('grid.client')}</label>
          ${clientBox({ id: 'repeated-client', value: clientId, changed: chooseClient })}</div>
        <button type="button" ?disabled=${sending.isRunning()} @click=${() => sending.run(repeat)}>${text('grid.add')}</button>
      </div>
      <p class="hint" role="status">${outcome}</p>
      ${sending.view()}
    </section>`,
  }
}
