import { html, nothing } from 'lit-html'
import { type TextName, text } from '../languages/texts.ts'
import { openLoader, showLoaded } from './loader.ts'
import type { PageEntry } from './page.ts'

/**
 * Opens a page whose module is fetched when it is first used. `title`: its heading until then; `name`: what the module
 * calls it.
 */
export function lazyPage<Name extends string>(
  title: TextName,
  load: () => Promise<Readonly<Record<Name, PageEntry['open']>>>,
  name: Name,
): PageEntry['open'] {
  return (context) => {
    const loader = openLoader(async () => (await load())[name](context), context)
    const page = () => loader.value()
    return {
      title: () => page()?.title() ?? text(title),
      view: () => page()?.view() ?? showLoaded(loader, () => html``),
      actions: () => page()?.actions?.() ?? html`${nothing}`,
      queryChanged: () => page()?.queryChanged?.(),
      hasUnsavedInput: () => page()?.hasUnsavedInput?.() ?? false,
      get followsAsOf() {
        return page()?.followsAsOf ?? false
      },
    }
  }
}
