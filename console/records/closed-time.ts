import { html, nothing, type TemplateResult } from 'lit-html'
import type { Answer } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import { OVERRIDE_SCOPE, showOverrideReason } from '../closing/override-reason.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { createLoader } from '../frame/loader.ts'
import type { PageContext } from '../frame/page.ts'
import type { Write } from './write.ts'

/**
 * Says before somebody saves that a service date lies where the books are closed, and asks those who may save all the
 * same for a reason.
 */
export function createClosedTime(send: (write: Write) => Promise<Answer>, context: PageContext) {
  const { api, document, link, hasScope } = context
  const mayOverride = () => hasScope(OVERRIDE_SCOPE)
  let reason = ''
  const loader = createLoader<string | null>(
    async (signal) => (await api.get('closing', { signal })).body.closedThrough,
    context,
  )
  // Without an answer there is no notice, and the API refuses all the same.
  void loader.load()

  function askForReason(): TemplateResult {
    const changed = (text: string) => (reason = text)
    return showOverrideReason({ label: 'Reason for saving it all the same', reason, changed, document })
  }

  return {
    /** `days`: as the record is, and as it would be; '' for today. `wasRefused`: the API's refusal says the same. */
    notice(days: readonly string[], wasRefused: boolean): TemplateResult | typeof nothing {
      if (wasRefused) return mayOverride() ? html`<div class="warning">${askForReason()}</div>` : nothing
      const closedThrough = loader.value() ?? null
      const isClosed = days.some((day) => closedThrough !== null && (day || dayOf(new Date())) <= closedThrough)
      if (closedThrough === null || !isClosed) return nothing
      return html`<div class="warning"><p>The books are closed through ${dates.date(closedThrough)}.
        ${mayOverride() ? 'Saving this contract takes a reason, which its history shows.' : `Only an API key with the scope ${OVERRIDE_SCOPE} can save this contract.`}
        That changes sums that were reported, and is listed under <a href=${link('/closing')}>Closing</a>.</p>
        ${mayOverride() ? askForReason() : nothing}</div>`
    },

    /** Writes with the reason, if one was entered. */
    async write(write: Write): Promise<Answer> {
      try {
        return await send({ ...write, overrideReason: reason.trim() })
      } catch (error) {
        // The books may have been closed meanwhile.
        if (error instanceof ApiProblem && error.code === 'period_closed') void loader.load()
        throw error
      }
    },
  }
}
