import { html } from 'lit-html'
import { type TextName, text } from '../languages/texts.ts'
import { openLoader, showLoaded } from './loader.ts'
import type { Page, PageContext, PageEntry } from './page.ts'

/**
 * Opens a page whose module is fetched when it is first used. `title`: its heading until then; `name`: what the module
 * calls it.
 */
export function lazyPage<Name extends string>(
  title: TextName,
  load: () => Promise<Readonly<Record<Name, PageEntry['open']>>>,
  name: Name,
): PageEntry['open'] {
  return (context) => loadedPage(async () => (await load())[name](context), text(title), context)
}

/** A page that is made of what is loaded first. `title`: its heading until then. */
export function loadedPage(load: (signal: AbortSignal) => Promise<Page>, title: string, context: PageContext): Page {
  const loader = openLoader(load, context)
  const page = () => loader.value()
  return {
    title: () => page()?.title() ?? title,
    view: () => page()?.view() ?? showLoaded(loader, () => html``),
    actions: () => page()?.actions?.() ?? html``,
    queryChanged: () => page()?.queryChanged?.(),
    hasUnsavedInput: () => page()?.hasUnsavedInput?.() ?? false,
    get followsAsOf() {
      return page()?.followsAsOf ?? false
    },
  }
}
