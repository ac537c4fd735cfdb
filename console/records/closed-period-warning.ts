import { html, nothing, type TemplateResult } from 'lit-html'
import type { Answer } from '../api/client.ts'
import { hasCode } from '../api/problem.ts'
import { OVERRIDE_SCOPE, showReason } from '../closing/reason.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { openLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import type { Write } from './write.ts'

/**
 * Warns before saving that the books are closed for a service date, and asks those who may save anyway for a reason.
 */
export function createClosedPeriodWarning(send: (write: Write) => Promise<Answer>, context: PageContext) {
  const { api, document, link, hasScope } = context
  const mayOverride = () => hasScope(OVERRIDE_SCOPE)
  let reason = ''
  // Without an answer there is no notice; the API refuses the write anyway.
  const loader = openLoader<string | null>(
    async (signal) => (await api.get('closing', { signal })).closedThrough,
    context,
  )

  function meaning(closedThrough: string): TemplateResult {
    const whatNow = text(mayOverride() ? 'records.reasonNeeded' : 'records.overrideNeeded')
    const closing = html`<a href=${link('/closing')}>${text('closing.title')}</a>`
    return html`<p>${parts('records.closedThrough', { date: dates.date(closedThrough), whatNow, closing })}</p>`
  }

  return {
    /** `days`: as the record is, and as it would be; '' for today. `wasRefused`: the API refused to save it. */
    notice(days: readonly string[], wasRefused: boolean): TemplateResult | typeof nothing {
      const closedThrough = loader.value() ?? null
      const isClosed = days.some((day) => closedThrough !== null && (day || dayOf(new Date())) <= closedThrough)
      if (!isClosed && !wasRefused) return nothing
      return html`<div class=${wasRefused ? 'problem form-problem' : 'warning'} role=${wasRefused ? 'alert' : nothing} tabindex=${wasRefused ? '-1' : nothing}>
        ${wasRefused ? html`<p>${text('records.isClosed')}</p>` : nothing}
        ${closedThrough !== null && isClosed ? meaning(closedThrough) : nothing}
        ${mayOverride() ? showReason({ label: text('records.overrideReason'), reason, changed: (typed) => (reason = typed) }, document) : nothing}</div>`
    },

    /** Writes with the reason, if one was entered. */
    async write(write: Write): Promise<Answer> {
      try {
        return await send({ ...write, overrideReason: reason.trim() })
      } catch (error) {
        // The books may have been closed meanwhile. The notice says through when.
        if (hasCode(error, 'period_closed')) await loader.load()
        throw error
      }
    },
  }
}
