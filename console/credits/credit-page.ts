import { firstOpenDay } from '../closing/closing.ts'
import { recordFields } from '../fields/fields.ts'
import { textsOf } from '../fields/texts.ts'
import { dayOf } from '../format/dates.ts'
import { decimals } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { createPage } from '../records/create-page.ts'
import { contracts } from '../records/kinds.ts'
import { creditOf } from './credit.ts'

/** The form of a new contract that credits another one. */
export function creditPage(context: PageContext): Page {
  const { api, document, parameters } = context
  const fields = recordFields(document, contracts.schema, contracts.creation)
  const form = createLoader<Page>(async (signal) => {
    const [{ body: contract }, { body: closing }] = await Promise.all([
      api.get(`contracts/${encodeURIComponent(parameters.id ?? '')}`, { signal }),
      api.get('closing', { signal }),
    ])
    const credit = creditOf(contract, firstOpenDay(closing.closedThrough, dayOf(new Date())))
    const texts = textsOf(fields, credit, decimals)
    return createPage(contracts, { ...context, query: () => texts })
  }, context)
  void form.load()

  return {
    title: () => `Credit contract ${parameters.id}`,
    view: () => showLoaded(form, ({ view }) => view()),
    hasUnsavedInput: () => form.value()?.hasUnsavedInput?.() ?? false,
  }
}
