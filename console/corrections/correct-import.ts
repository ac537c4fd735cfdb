import Big from 'big.js'
import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { hasCode } from '../api/problem.ts'
import { firstOpenDay } from '../closing/closing.ts'
import { overrideHeader } from '../closing/reason.ts'
import { findCredits, uncreditedFee } from '../credits/credit.ts'
import { retryWhileBusy } from '../csv/retry-while-busy.ts'
import { createClientBox } from '../fields/client-box.ts'
import { createClientNames } from '../fields/client-names.ts'
import { type Field, recordFields } from '../fields/fields.ts'
import { dateProblem, inputId, showInput } from '../fields/input.ts'
import { showAmount, showValue } from '../fields/show.ts'
import { noteAsked, questionsAbout, readTexts } from '../fields/texts.ts'
import { dayOf } from '../format/dates.ts'
import { dates, decimals } from '../format/formats.ts'
import { focusSoon } from '../frame/focus.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { parts, text } from '../languages/texts.ts'
import { type Column, showTable } from '../lists/table.ts'
import { createClosedPeriodWarning } from '../records/closed-period-warning.ts'
import { contracts as kind } from '../records/kinds.ts'
import { newKey } from '../records/write.ts'
import { creditBody, totalOf } from './correction.ts'
import { type ImportedFile, importedContracts } from './imported-contracts.ts'

interface Found {
  readonly contracts: readonly RecordJson[]
  /** What they bill with tax. */
  readonly total: string
  /** The date of credits. */
  readonly day: string
}

/** More would take too long to read one by one. */
const MAX_ROWS = 1_000
/** As many as anybody reads. */
const MAX_SHOWN = 100
const COLUMNS = ['clientId', 'serviceName', 'serviceType', 'taxPercent', 'totalFeeWithTax', 'serviceDate']

/** Lists the contracts that were created from a file, and credits or changes them together. */
export function createImportCorrection(imported: ImportedFile, context: PageContext) {
  const { api, document, link, signal, update, announce } = context
  const fields = recordFields(document, kind.schema, kind.creation)
  const names = createClientNames(context)
  const clientBox = createClientBox(context, names)
  const sending = createSending(context)
  /** The beginning of the Idempotency-Keys of the correction, and the key of the write that is being sent. */
  let [key, writeKey] = [CREDITED, '']
  const closedPeriod = createClosedPeriodWarning(async ({ method, path, body, overrideReason = '' }) => {
    const headers = { 'Idempotency-Key': writeKey, ...overrideHeader(overrideReason) }
    return await retryWhileBusy(() => api.request(method, path, { body, headers, signal }), signal)
  }, context)
  let isOpen = false
  /** What was typed when somebody was asked about it, and may keep it. */
  const asked = new Set<string>()
  /** The field to change; undefined: they are credited. */
  let field: Field | undefined
  let [written, problem, outcome, done] = ['', '', '', 0]

  const loader = createLoader<Found>(async (signal) => {
    const [contracts, closing] = await Promise.all([
      importedContracts(context, imported),
      api.get('closing', { signal }),
    ])
    void names.load(contracts.slice(0, MAX_SHOWN).map(({ clientId }) => clientId))
    return { contracts, total: totalOf(contracts), day: firstOpenDay(closing.closedThrough, dayOf(new Date())) }
  }, context)

  function choose(chosen: Field | undefined, typed = ''): void {
    ;[field, written, problem, outcome, done] = [chosen, typed, '', '', 0]
    key = chosen ? newKey() : CREDITED
    sending.clear()
    update()
  }

  /** What is typed, as the API accepts it; undefined: something is wrong with it. */
  function readValues(): object | undefined {
    if (!field) return {}
    const { name } = field
    const texts = { [name]: written }
    const { values, problems } = readTexts([field], texts, { before: {} })
    const questions = questionsAbout([field], texts, { asked })
    noteAsked(asked, texts, questions)
    problem = problems[name] ?? (dateProblem(inputId(name)) || questions[name] || '')
    if (problem === '' && !(name in values)) problem = text('corrections.enterValue')
    return problem === '' ? values : undefined
  }

  async function correct(event: Event, { contracts, day }: Found): Promise<void> {
    event.preventDefault()
    const body = readValues()
    ;[outcome, done] = ['', 0]
    update()
    if (!body) return focusSoon('.correction [aria-invalid="true"]')
    await sending.run(async () => {
      for (const contract of contracts) {
        writeKey = `${key}-${contract.id}`
        if (field) await closedPeriod.write({ method: 'PATCH', path: `contracts/${contract.id}`, body })
        else await credit(contract, day)
        done += 1
        update()
      }
      outcome = text(field ? 'corrections.changed' : 'corrections.credited', { count: done })
      announce(outcome)
    })
    if (field && outcome !== '') void loader.load()
  }

  /** Credits what earlier credits leave of its fee. */
  async function credit(contract: RecordJson, day: string): Promise<void> {
    const credits = await retryWhileBusy(() => findCredits(api.get, contract, signal), signal)
    const left = uncreditedFee(contract, credits)
    if (left.times(contract.serviceFee).lte(0)) return
    const body = creditBody({ ...contract, serviceFee: left.toFixed() }, day, fields)
    const write = { method: 'POST', path: 'contracts', body } as const
    await closedPeriod.write(write).catch(unlessCredited)
  }

  function form(found: Found): TemplateResult {
    const { contracts, day } = found
    const select = (event: Event) =>
      choose(fields.find(({ name }) => name === (event.target as HTMLSelectElement).value))
    const newDays = field?.name === 'serviceDate' && written !== '' ? [written] : []
    const days = field ? [...contracts.map(({ serviceDate }) => serviceDate.slice(0, 10)), ...newDays] : [day]
    const isSending = sending.isRunning()
    return html`<form class="correction" @submit=${(event: Event) => void correct(event, found)} novalidate>
      <fieldset class="plain-fieldset" ?disabled=${isSending}>
        <div class="field">
          <label for="correction">${text('corrections.whatToDo')}</label>
          <select id="correction" @change=${select}>
            <option value="" ?selected=${!field}>${text('corrections.creditOn', { date: dates.date(day) })}</option>
            ${fields.filter(({ isGiven }) => isGiven).map(({ name, label }) => html`<option value=${name} ?selected=${name === field?.name}>${text('corrections.change', { field: label })}</option>`)}
          </select>
        </div>
        ${field ? showInput({ ...field, isRequired: true }, { value: written, problem, changed: (typed) => choose(field, typed), clientBox, isNew: false }) : nothing}
        ${closedPeriod.notice(days, false)}
      </fieldset>
      <p>${sums(found)}</p>
      ${showTable({ caption: text('corrections.caption'), columns: columns(), rows: contracts.slice(0, MAX_SHOWN) })}
      ${contracts.length > MAX_SHOWN ? html`<p class="range">${text('lists.andMore', { count: contracts.length - MAX_SHOWN })}</p>` : nothing}
      ${sending.view()}
      ${isSending || outcome !== '' || done === 0 ? nothing : html`<p class="problem">${text('corrections.someChanged', { done, count: contracts.length })}</p>`}
      ${outcome === '' ? nothing : html`<p class="notice">${outcome}</p>`}
      <div class="form-end"><button class="primary" ?disabled=${isSending || contracts.length === 0}>${submitLabel(contracts.length)}</button></div>
    </form>`
  }

  /** What is typed, for reading. */
  const typed = ({ kind }: Field) => (kind === 'amount' || kind === 'decimal' ? decimals.read(written) : written)

  function sums({ contracts, total }: Found): TemplateResult {
    const value = field && typed(field)
    const isBilled = value !== undefined && ['serviceFee', 'taxPercent'].includes(field?.name ?? '')
    const changed = isBilled ? totalOf(contracts, { [field?.name ?? '']: value }) : total
    const values = { before: showAmount(total), after: showAmount(field ? changed : '0') }
    return html`${parts(field ? 'corrections.sumsChanged' : 'corrections.sumsCredited', values)}`
  }

  function columns(): readonly Column<RecordJson>[] {
    const options = { clientName: names.of, link }
    const shown = COLUMNS.flatMap((name) => fields.filter((field) => field.name === name))
    const column = (one: Field): Column<RecordJson> => [
      one.label,
      (record) => showValue(one, record[one.name], options),
      one.kind,
    ]
    const becomes: Column<RecordJson> = field
      ? [
          text('corrections.new', { field: field.label }),
          () => field && showValue(field, typed(field), options),
          field.kind,
        ]
      : [
          text('corrections.creditWithTax'),
          ({ totalFeeWithTax }) => showAmount(new Big(totalFeeWithTax).neg().toFixed()),
          'amount',
        ]
    const linked = ({ id }: RecordJson) => html`<a href=${link(`/contracts/${id}`)}>${id}</a>`
    return [[text('kind.one.Contract'), linked, 'number'], ...shown.map(column), becomes]
  }

  function submitLabel(count: number): string {
    if (sending.isRunning()) return text('corrections.saving', { done, count })
    return text(field ? 'corrections.changeAll' : 'corrections.creditAll', { count })
  }

  return {
    isRunning: sending.isRunning,
    /** Offers to correct the contracts of the file. */
    view(): TemplateResult {
      const open = () => {
        isOpen = true
        void loader.load()
      }
      const begin = html`<p>${text('corrections.offer')}</p>
        <button type="button" @click=${open}>${text('corrections.show')}</button>`
      return html`<section aria-labelledby="correct">
        <h2 id="correct">${text('corrections.title')}</h2>
        ${imported.file.rows > MAX_ROWS ? html`<p>${text('corrections.tooMany', { count: MAX_ROWS })}</p>` : isOpen ? showLoaded(loader, form) : begin}
      </section>`
    },
  }
}

/** The beginning of the key of a credit, which its contract's id follows: however often it is sent, there is one. */
const CREDITED = 'credit-of-import'

/** The key was used with another date: the contract is credited already. */
function unlessCredited(problem: unknown): void {
  if (!hasCode(problem, 'idempotency_key_reused')) throw problem
}
