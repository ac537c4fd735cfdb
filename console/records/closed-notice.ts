import { html, nothing, type TemplateResult } from 'lit-html'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { createLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'

/** Says before somebody saves that a service date lies where the books are closed. */
export function createClosedNotice(context: PageContext) {
  const { api, link } = context
  const loader = createLoader<string | null>(
    async (signal) => (await api.get('closing', { signal })).body.closedThrough,
    context,
  )
  // Without an answer there is no notice, and the API refuses all the same.
  void loader.load()

  /** `days`: as the record is, and as it would be; '' for today. */
  return (days: readonly string[]): TemplateResult | typeof nothing => {
    const closedThrough = loader.value() ?? null
    const isClosed = days.some((day) => closedThrough !== null && (day || dayOf(new Date())) <= closedThrough)
    if (closedThrough === null || !isClosed) return nothing
    // What a key may do is known to those alone who manage keys.
    return html`<p class="warning">The books are closed through ${dates.date(closedThrough)}.
      Only an API key with the scope closing:override can save this contract. That changes sums that were reported, and is
      listed under <a href=${link('/closing')}>Closing</a>.</p>`
  }
}
