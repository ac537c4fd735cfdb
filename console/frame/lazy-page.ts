import { html, nothing } from 'lit-html'
import { createLoader, showLoaded } from './loader.ts'
import type { Page, PageContext, PageEntry } from './page.ts'

/** Opens a page whose module is fetched when it is first used. `title`: its heading until then. */
export function lazyPage(title: string, load: () => Promise<(context: PageContext) => Page>): PageEntry['open'] {
  return (context) => {
    const loader = createLoader(async () => (await load())(context), context)
    const page = () => loader.value()
    void loader.load()
    return {
      title: () => page()?.title() ?? title,
      view: () => page()?.view() ?? showLoaded(loader, () => html``),
      actions: () => page()?.actions?.() ?? html`${nothing}`,
      queryChanged: () => page()?.queryChanged?.(),
      hasUnsavedInput: () => page()?.hasUnsavedInput?.() ?? false,
    }
  }
}
