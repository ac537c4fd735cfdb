import { html, nothing, type TemplateResult } from 'lit-html'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { createLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { createDownload } from '../lists/download.ts'
import { authorOf, showEvent } from '../records/history.ts'
import { createChangeFilters } from './change-filters.ts'
import { actionOf, changeColumns, createChangeValues } from './change-values.ts'
import { type Change, createChanges } from './changes.ts'

/** How many changes are shown at first, and how many more each time. */
const PAGE = 100
/** The most that the API answers at once. */
const MOST = 1_000

interface Shown {
  readonly changes: readonly Change[]
  readonly hasMore: boolean
}

/** Who changed what, newest day first. */
export function changesPage(context: PageContext): Page {
  const { query, link, announce } = context
  const { find, withBefore } = createChanges(context)
  const values = createChangeValues(context)
  const filters = createChangeFilters(context)
  const download = createDownload(context)
  let wanted = PAGE
  const loader = createLoader<Shown>(load, context)
  void loader.load()

  async function load(signal: AbortSignal): Promise<Shown> {
    const found = []
    for await (const some of find(filters.current(), PAGE, signal)) {
      found.push(...some)
      if (found.length > wanted) break
    }
    const changes = await withBefore(found.slice(0, wanted), signal)
    for (const { by, byName } of changes) filters.noteAuthor(by, byName)
    void values.loadNames(changes)
    const shown = { changes, hasMore: found.length > wanted }
    announce(countText(shown))
    return shown
  }

  async function file(signal: AbortSignal): Promise<Blob> {
    const found = []
    for await (const some of find(filters.current(), MOST, signal)) found.push(...some)
    const changes = await withBefore(found, signal)
    await values.loadNames(changes)
    return values.fileOf(changes)
  }

  function more(): void {
    wanted += PAGE
    void loader.load()
  }

  function view(shown: Shown): TemplateResult {
    const days = Map.groupBy(shown.changes, ({ at }) => dayOf(new Date(at)))
    const [{ kind, record = {} } = {}] = shown.changes
    const only = {
      record: html`<bdi>${kind?.titleOf(record) ?? query().record}</bdi>`,
      all: html`<a href=${link('/changes', { ...query(), record: undefined })}>${text('changes.showAll')}</a>`,
    }
    return html`
      ${query().record === undefined ? nothing : html`<p>${parts('changes.ofOne', only)}</p>`}
      <p class="range">${countText(shown)}</p>
      ${[...days].map(([day, changes]) => html`<h2>${dates.date(day)}</h2><ol class="timeline">${changes.map(item)}</ol>`)}
      ${shown.hasMore ? html`<button type="button" @click=${more} ?disabled=${loader.isLoading()}>${text('changes.showMore')}</button>` : nothing}
    `
  }

  function item(change: Change): TemplateResult {
    const { kind, path, record, at, by } = change
    const line = {
      record: html`<a href=${link(`/${path}`)}><bdi>${kind.titleOf(record)}</bdi></a>`,
      what: actionOf(change),
      author: html`<a href=${link('/changes', { ...query(), by })}>${authorOf(change)}</a>`,
      moment: html`<time datetime=${at} title=${at}>${dates.moment(at)}</time>`,
    }
    return html`<li>
      <p class="change-line">${parts('changes.line', line)}</p>
      ${showEvent(change, values.fieldsOf(change), { clientName: values.clientName, link })}
    </li>`
  }

  return {
    title: () => text('changes.title'),
    view: () => html`${filters.view()}${download.problem()}${showLoaded(loader, view)}`,
    actions() {
      const { from, to } = filters.days()
      const sheet = { title: text('changes.title'), columns: changeColumns, rows: undefined }
      return download.button({
        path: file,
        query: { serviceDateFrom: from, serviceDateTo: to },
        name: 'changes',
        sheet,
      })
    },
    queryChanged() {
      wanted = PAGE
      void loader.load()
    },
  }
}

function countText({ changes, hasMore }: Shown): string {
  if (changes.length === 0) return text('lists.noMatches')
  return text(hasMore ? 'changes.newest' : 'changes.count', { count: changes.length })
}
