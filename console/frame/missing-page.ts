import { html } from 'lit-html'
import type { Page, PageContext } from './page.ts'

/** What an address shows that names no page. */
export function missingPage({ link }: PageContext): Page {
  return {
    title: () => 'There is no such page',
    view: () => html`<p>The address may be cut off or mistyped. <a href=${link('/')}>Go to the start</a></p>`,
  }
}
