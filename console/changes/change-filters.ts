import { html, type TemplateResult } from 'lit-html'
import { isDay } from '../format/calendar.ts'
import { dayOf, startOfDay, startOfNextDay } from '../format/dates.ts'
import type { PageContext } from '../frame/page.ts'
import { text } from '../languages/texts.ts'
import { showFilter } from '../lists/filters.ts'
import type { RecordKind } from '../records/kinds.ts'
import { type ChangeFilters, changingKinds } from './changes.ts'

/** How many days before today are shown unless somebody chooses. */
const DAYS_BEFORE = 6

type Author = readonly [id: string, name: string]

/** The filters of the changes: in the address, and as controls. */
export function createChangeFilters({ api, may, query, setQuery, signal, update }: PageContext) {
  const shownKinds = changingKinds.filter((kind) => may(historyOf(kind), 'GET'))
  /** Whoever is known to have changed something, or may have. */
  const authors = new Map<string, string>()
  if (may('/api-keys', 'GET')) void loadKeys().catch(() => {})

  async function loadKeys(): Promise<void> {
    const { body } = await api.get('api-keys', { query: { limit: 100 }, signal })
    for (const { id, name } of body.apiKeys) authors.set(id, name)
    update()
  }

  /** Of one record, all changes are shown unless somebody chooses. */
  function days(): { readonly from: string | undefined; readonly to: string } {
    const { from, to, record } = query()
    const first = new Date()
    first.setDate(first.getDate() - DAYS_BEFORE)
    const usual = record === undefined ? dayOf(first) : undefined
    return { from: dayIn(from) ?? usual, to: dayIn(to) ?? dayOf(new Date()) }
  }

  function current(): ChangeFilters {
    const { kind, by, record } = query()
    const { from, to } = days()
    return {
      since: from === undefined ? undefined : Date.parse(startOfDay(from)),
      until: Date.parse(startOfNextDay(to)) - 1,
      kind: shownKinds.find(({ one }) => one === kind),
      by,
      record,
    }
  }

  function view(): TemplateResult {
    const { from, to } = days()
    const { kind, by } = query()
    const people = [...new Map([...(by ? [[by, by] as const] : []), ...authors])]
    const control = (name: string, label: string, value: string | undefined, choices?: readonly Author[]) =>
      showFilter(
        { name, label, kind: choices ? 'choice' : 'date', choices: choices?.map(([id]) => id) ?? [] },
        {
          value,
          changed: (chosen) => setQuery({ [name]: chosen || undefined }),
          labelOf: (choice) => choices?.find(([id]) => id === choice)?.[1] ?? choice,
        },
      )
    return html`<search class="filters report-filters"><div class="filter-fields">
      ${control('from', text('changes.from'), from)}
      ${control('to', text('changes.to'), to)}
      ${control('by', text('changes.by'), by, people)}
      ${control(
        'kind',
        text('changes.of'),
        kind,
        shownKinds.map(({ one, title }) => [one, title]),
      )}
    </div></search>`
  }

  return { days, current, view, noteAuthor: (id: string, name: string | null) => authors.set(id, name ?? id) }
}

/** What it takes to see changes of a kind. */
const historyOf = ({ many, isSingle }: RecordKind): string => (isSingle ? `/${many}/history` : `/${many}/{id}/history`)

const dayIn = (day: string | undefined): string | undefined => (day !== undefined && isDay(day) ? day : undefined)
