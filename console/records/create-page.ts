import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import type { Field } from '../fields/fields.ts'
import { type FieldProblems, type Texts, textsOf } from '../fields/texts.ts'
import { isNumber } from '../format/numbers.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { createAssistance } from './assistance.ts'
import { createForm, type RecordForm } from './form.ts'
import { contracts, kindText, type RecordKind } from './kinds.ts'
import { createWriting } from './writing.ts'

/**
 * The page that creates records. Its address may prefill fields: `#/contracts/new?clientId=…`. `check` finds what else is
 * wrong with what was typed.
 */
export function createPage(kind: RecordKind, context: PageContext, check?: (texts: Texts) => FieldProblems): Page {
  const { query, go, link, announce } = context
  const { many, keptForNext } = kind
  const writing = createWriting(kind, context)
  const assistance = many === contracts.many ? createAssistance(context) : undefined
  /** What the service would choose otherwise. Retries of one save send the same, even after midnight. */
  let suggested: Texts | undefined
  /** The previous record, where one is added after another. */
  let created: RecordJson | undefined
  let form = formOver(textsIn({ ...kind.suggested?.(), ...query() }))

  /** An address has numbers as Mint writes them, because it may be opened in another language. */
  function textsIn(given: Texts): Texts {
    const numbers = writing.fields.filter(({ name }) => isNumber(given[name] ?? ''))
    return { ...given, ...textsOf(numbers, given) }
  }

  function formOver(texts: Texts, kept?: Texts): RecordForm {
    const options = {
      writing,
      texts,
      kept,
      before: undefined,
      check,
      submitLabel: kindText('kind.create', kind),
      cancelLink: link(`/${many}`),
    }
    return createForm({ ...options, assistance, submit, submitAndAdd: keptForNext && submitAndAdd }, context)
  }

  async function create(values: object): Promise<RecordJson> {
    suggested ??= kind.suggested?.()
    const { body } = await writing.write({ method: 'POST', path: many, body: { ...suggested, ...values } })
    suggested = undefined
    return body
  }

  async function submit(values: object): Promise<void> {
    const record = await create(values)
    go(`/${many}/${record[kind.id]}`, kindText('kind.created', kind))
  }

  async function submitAndAdd(values: object): Promise<void> {
    created = await create(values)
    const { fields } = writing
    const texts = form.texts()
    const isKept = ({ name }: Field) => keptForNext?.includes(name)
    const kept = Object.fromEntries(fields.filter(isKept).map(({ name }) => [name, texts[name] ?? '']))
    form = formOver(kept, kept)
    announce(text('records.added', { name: kind.titleOf(created) }))
  }

  function showCreated(record: RecordJson): TemplateResult {
    const href = link(`/${many}/${record[kind.id]}`)
    const name = html`<a href=${href}><bdi>${kind.titleOf(record)}</bdi></a>`
    return html`<p class="notice">${parts('records.addedNext', { name })}</p>`
  }

  return {
    title: () => kindText('kind.new', kind),
    view: () => html`${created ? showCreated(created) : nothing}${form.view()}`,
    hasUnsavedInput: () => form.hasUnsavedInput(),
  }
}
