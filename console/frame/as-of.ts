import { html, nothing, type TemplateResult } from 'lit-html'
import { dayOf, endOfDay, isEndOfDay } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { parts, text } from '../languages/texts.ts'

/** A moment in words: a whole day by its date. */
export function asOfText(asOf: string): string {
  const moment = new Date(asOf)
  return isEndOfDay(moment)
    ? text('frame.atEndOfDay', { date: dates.date(dayOf(moment)) })
    : text('frame.onMoment', { moment: dates.moment(asOf) })
}

/** While a year is being typed, browsers report the years that its first digits make: `0002-03-31`. */
const FIRST_DAY = '1970-01-01'

/**
 * The control in the header that chooses the date which the whole console shows. The page may render while somebody
 * types, so only leaving the control resets a date that can't be shown.
 */
export function asOfControl(asOf: string | undefined, choose: (asOf: string | undefined) => void): TemplateResult {
  const today = dayOf(new Date())
  const shown = asOf === undefined ? '' : dayOf(new Date(asOf))
  const changed = (event: Event) => {
    const { value, validity } = event.target as HTMLInputElement
    if (validity.valid) choose(value === '' ? undefined : endOfDay(value, new Date()))
  }
  const left = (event: Event) => {
    ;(event.target as HTMLInputElement).value = shown
  }
  return html`<div class="as-of">
    <label for="as-of">${text('field.asOf')}</label>
    <input id="as-of" type="date" min=${FIRST_DAY} max=${today} .value=${shown} @change=${changed} @blur=${left}>
  </div>`
}

/** Says that the past is shown, or why this page doesn't show it, with a way back to today. */
export function asOfBanner(
  asOf: string | undefined,
  isFollowed: boolean,
  today: string,
): TemplateResult | typeof nothing {
  if (asOf === undefined) return nothing
  const when = asOfText(asOf)
  const sentence = isFollowed
    ? parts('frame.asItStood', { when: html`<b><time datetime=${asOf}>${when}</time></b>` })
    : parts('frame.showsToday', { when, today: html`<b>${text('frame.today')}</b>` })
  return html`<aside class="as-of-banner" aria-label=${text('frame.dateShown')}>
    <p>${sentence}</p>
    <a href=${today}>${text('frame.backToToday')}</a>
  </aside>`
}
