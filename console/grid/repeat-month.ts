import { html, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { createClientBox } from '../fields/client-box.ts'
import type { ClientNames } from '../fields/client-names.ts'
import type { Field } from '../fields/fields.ts'
import { type Texts, textsOf } from '../fields/texts.ts'
import { addMonths, lastDayOf, monthOf } from '../format/calendar.ts'
import { dayOf } from '../format/dates.ts'
import { dates, decimals } from '../format/formats.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { text } from '../languages/texts.ts'
import { contracts } from '../records/kinds.ts'
import { toRepeat } from './repeat.ts'

/** As many rows as a page shows without getting slow. */
const MOST_ROWS = 300
const [MONTHS, PAGE] = [12, 100]

interface RepeatOptions {
  readonly fields: readonly Field[]
  readonly names: ClientNames
  readonly add: (rows: readonly Texts[]) => void
}

/** Where somebody takes the services of a month into the grid, those of all clients or of one after another. */
export function createRepeatMonth({ fields, names, add }: RepeatOptions, context: PageContext) {
  const { api, signal, update } = context
  const repeated = fields.filter(({ name }) => name === 'serviceDate' || contracts.duplicated?.includes(name))
  const now = monthOf(dayOf(new Date()))
  const months = Array.from({ length: MONTHS }, (_, index) => addMonths(now, -index))
  const clientBox = createClientBox(context, names)
  const sending = createSending(context)
  let [month, clientId, outcome] = [addMonths(now, -1), '', '']

  async function page(offset: number) {
    const query = { serviceDateFrom: `${month}-01`, serviceDateTo: lastDayOf(month), clientId, limit: PAGE, offset }
    return (await api.get('contracts', { query, signal })).body
  }

  async function repeat(): Promise<void> {
    const { contracts: found, total } = await page(0)
    outcome = outcomeText(total)
    if (total > MOST_ROWS) return
    const all: RecordJson[] = [...found]
    while (all.length < total) all.push(...(await page(all.length)).contracts)
    await names.load(all.map((contract) => contract.clientId))
    add(toRepeat(all).map((contract) => textsOf(repeated, contract, decimals)))
  }

  function outcomeText(total: number): string {
    const shown = dates.month(month)
    if (total === 0) return text('grid.noneInMonth', { month: shown })
    if (total > MOST_ROWS) return text('grid.tooMany', { month: shown, count: total })
    return text('grid.added', { month: shown })
  }

  function chooseClient(id: string): void {
    clientId = id
    update()
  }

  return {
    view: (): TemplateResult => html`<section class="repeat" aria-labelledby="repeat">
      <h2 id="repeat">${text('grid.repeat')}</h2>
      <div class="filter-fields">
        <div><label for="repeated">${text('grid.month')}</label>
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
