import { html, nothing, type TemplateResult } from 'lit-html'
import { showMoment } from '../fields/show.ts'
import { dayOf } from '../format/dates.ts'
import { dates } from '../format/formats.ts'
import { openLoader, showLoaded } from '../frame/loader.ts'
import type { Page, PageContext } from '../frame/page.ts'
import { parts, text } from '../languages/texts.ts'
import { createDownload } from '../lists/download.ts'
import { authorOf, showEvent } from '../records/history.ts'
import { createChangeFilters } from './change-filters.ts'
import { actionOf, changeColumns, createChangeValues } from './change-values.ts'
import { type Change, findChanges, titleOf } from './changes.ts'

/** How many changes are shown at first, and how many more each time. */
const PAGE_SIZE = 100

interface Shown {
  readonly changes: readonly Change[]
  readonly hasMore: boolean
}

/** Who changed what, newest day first. */
export function changesPage(context: PageContext): Page {
  const { api, may, query, here, link, announce } = context
  const values = createChangeValues(context)
  const authors = new Map<string, string>()
  const filters = createChangeFilters(context, authors)
  const download = createDownload(context)
  let wanted = PAGE_SIZE
  const loader = openLoader<Shown>(async (signal) => {
    const found = await find(signal, wanted)
    const shown = { changes: found.slice(0, wanted), hasMore: found.length > wanted }
    for (const { by, byName } of found) if (!authors.has(by)) authors.set(by, byName ?? by)
    void values.loadNames(found)
    announce(countText(shown))
    return shown
  }, context)
  // Whoever may see all keys can choose among them, whatever they have changed.
  if (may('/api-keys', 'GET')) void loadKeys().catch(() => {})

  async function loadKeys(): Promise<void> {
    const keys = await api.all('api-keys', 'apiKeys', context.signal)
    // Oldest first: the name of a person is that of the latest sign-in.
    for (const { principal, name } of keys.toReversed()) authors.set(principal, name)
    context.update()
  }

  /** The newest changes: more than `enough`, if there are. */
  async function find(signal: AbortSignal, enough = Number.POSITIVE_INFINITY): Promise<readonly Change[]> {
    const found: Change[] = []
    for await (const some of findChanges(context, filters.current(), signal)) {
      found.push(...some)
      if (found.length > enough) break
    }
    return found
  }

  async function file(signal: AbortSignal): Promise<Blob> {
    const changes = await find(signal)
    await values.loadNames(changes)
    return values.fileOf(changes)
  }

  function more(): void {
    wanted += PAGE_SIZE
    void loader.load()
  }

  function view(shown: Shown): TemplateResult {
    const days = Map.groupBy(shown.changes, ({ at }) => dayOf(new Date(at)))
    const [first] = shown.changes
    const only = {
      record: html`<bdi>${first ? titleOf(first) : query().record}</bdi>`,
      all: html`<a href=${here({ record: undefined })}>${text('changes.showAll')}</a>`,
    }
    return html`
      ${query().record === undefined ? nothing : html`<p>${parts('changes.ofOne', only)}</p>`}
      <p class="range">${countText(shown)}</p>
      ${[...days].map(([day, changes]) => html`<h2>${dates.date(day)}</h2><ol class="timeline">${changes.map(item)}</ol>`)}
      ${shown.hasMore ? html`<button type="button" @click=${more} ?disabled=${loader.isLoading()}>${text('changes.showMore')}</button>` : nothing}
    `
  }

  function item(change: Change): TemplateResult {
    const { path, at, by } = change
    const line = {
      record: html`<a href=${link(`/${path}`)}><bdi>${titleOf(change)}</bdi></a>`,
      what: actionOf(change),
      author: html`<a href=${here({ by })}>${authorOf(change)}</a>`,
      moment: showMoment(at),
    }
    return html`<li>
      <p class="change-line">${parts('changes.line', line)} <bdi class="quiet">${values.clientOf(change)}</bdi></p>
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
      wanted = PAGE_SIZE
      void loader.load()
    },
  }
}

function countText({ changes, hasMore }: Shown): string {
  if (changes.length === 0) return text('lists.noMatches')
  return text(hasMore ? 'changes.newest' : 'changes.count', { count: changes.length })
}
