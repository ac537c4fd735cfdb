import { html, nothing, type TemplateResult } from 'lit-html'
import type { RecordJson } from '../api/json.ts'
import { firstOpenDay } from '../closing/closing.ts'
import { recordFields } from '../fields/fields.ts'
import { type FieldProblems, type Texts, textsOf } from '../fields/texts.ts'
import { dayOf } from '../format/dates.ts'
import { decimals } from '../format/formats.ts'
import { loadedPage } from '../frame/lazy-page.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { createPage } from '../records/create-page.ts'
import { contracts } from '../records/kinds.ts'
import { creditOf, findCredits, uncreditedFee } from './credit.ts'

/** The form of a new contract that credits another one. */
export function creditPage(context: PageContext): Page {
  const { api, document, link, id } = context
  const heading = text('credits.title', { id })
  const fields = recordFields(document, contracts.schema, contracts.creation)

  async function load(signal: AbortSignal): Promise<Page> {
    const [contract, closing] = await Promise.all([
      api.get(`contracts/${encodeURIComponent(id)}`, { signal }),
      api.get('closing', { signal }),
    ])
    const credits = await findCredits(api.get, contract, signal)
    const left = uncreditedFee(contract, credits)
    const serviceFee = left.gt(0) ? left.toFixed() : contract.serviceFee
    const credit = creditOf({ ...contract, serviceFee }, firstOpenDay(closing.closedThrough, dayOf(new Date())))
    const texts = textsOf(fields, credit)
    // No “Save and add another”: after its credit, a contract needs no other one.
    const { keptForNext: _, ...kind } = contracts
    const check = Number(contract.serviceFee) > 0 ? checkSign : undefined
    const page = createPage(kind, { ...context, query: () => texts }, check)
    return {
      ...page,
      title: () => heading,
      view: () => html`${credits.length === 0 ? nothing : already(credits)}${page.view()}`,
    }
  }

  function already(credits: readonly RecordJson[]): TemplateResult {
    const links = credits.map(
      ({ id }) =>
        html`<li><a href=${link(`/contracts/${id}`)}>${text('kind.named.contracts', { id: String(id) })}</a></li>`,
    )
    return html`<div class="warning"><p>${text('credits.already')}</p><ul>${links}</ul></div>`
  }

  return loadedPage(load, heading, context)
}

/** Somebody who types the amount of a credit without a minus would bill it once more. */
function checkSign({ serviceFee = '' }: Texts): FieldProblems {
  const fee = decimals.read(serviceFee)
  return Number(fee) > 0 ? { serviceFee: text('credits.positive', { fee: decimals.input(`-${fee}`) }) } : {}
}
