import { html, type TemplateResult } from 'lit-html'
import { dayOf, startOfDay, startOfNextDay } from '../format/dates.ts'
import type { PageContext } from '../frame/page.ts'
import { language, text } from '../languages/texts.ts'
import { filtersFoldedOnPhone, showFilter } from '../lists/filters.ts'
import { dayIn } from '../overview/period.ts'
import { pathsOf } from '../records/kinds.ts'
import { type ChangeFilters, changingKinds } from './changes.ts'

/** How many days before today are shown unless somebody chooses. */
const DAYS_BEFORE = 6

/** The value of the parameter `time` that shows only changes in a closed period. */
const CLOSED = 'closed'

type Choice = readonly [value: string, label: string]

/** The filters of the changes: in the address, and as controls. `authors`: the names of those who made some, by id. */
export function createChangeFilters({ may, query, setQuery }: PageContext, authors: ReadonlyMap<string, string>) {
  /** Whether a phone shows the filters at once: days are also the headings of the changes. */
  let showsFilters = false
  const shownKinds = changingKinds.filter((kind) => may(`${pathsOf(kind).template}/history`, 'GET'))

  /** For one record, all changes are shown by default. */
  function days(): { readonly from: string | undefined; readonly to: string } {
    const { from, to, record } = query()
    const first = new Date()
    first.setDate(first.getDate() - DAYS_BEFORE)
    const usual = record === undefined ? dayOf(first) : undefined
    return { from: dayIn(from) ?? usual, to: dayIn(to) ?? dayOf(new Date()) }
  }

  function current(): ChangeFilters {
    const { kind, by, record, time } = query()
    const { from, to } = days()
    return {
      since: from === undefined ? 0 : Date.parse(startOfDay(from)),
      until: Date.parse(startOfNextDay(to)) - 1,
      kind: shownKinds.find(({ one }) => one === kind),
      by,
      inClosedPeriod: time === CLOSED,
      record,
    }
  }

  function control(name: string, label: string, value: string | undefined, choices?: readonly Choice[]) {
    const labels = new Map(choices)
    const field = { name, label, kind: choices ? 'choice' : 'date', choices: [...labels.keys()] } as const
    const changed = (chosen: string) => setQuery({ [name]: chosen || undefined })
    return showFilter(field, { value, changed, labelOf: (choice) => labels.get(choice) ?? choice })
  }

  function view(): TemplateResult {
    const { from, to } = days()
    const { kind, by, time } = query()
    const unnamed = by === undefined || authors.has(by) ? [] : [[by, by] as const]
    const people = [...authors, ...unnamed].toSorted(([, one], [, other]) => one.localeCompare(other, language))
    const shownTitles = shownKinds.map(({ one, title }) => [one, title] as const)
    const controls = [
      control('from', text('changes.from'), from),
      control('to', text('changes.to'), to),
      control('by', text('changes.by'), by, people),
      control('kind', text('changes.of'), kind, shownTitles),
      control('time', text('changes.closedPeriod'), time, [[CLOSED, text('changes.onlyClosed')]]),
    ]
    showsFilters ||= [by, kind, time].some((value) => value !== undefined)
    return html`<search class="filters report-filters">${filtersFoldedOnPhone(showsFilters, controls)}</search>`
  }

  return { days, current, view }
}
