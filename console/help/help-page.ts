import { html } from 'lit-html'
import type { Page, PageContext } from '../frame/page.ts'
import { showTable } from '../lists/table.ts'

const KEYS: readonly (readonly [key: string, does: string])[] = [
  ['n', 'New contract; on the list of clients, a new business'],
  ['g', 'Enter several contracts at once, as in a spreadsheet'],
  ['/', 'Search'],
  ['?', 'Show this page'],
  ['Enter', 'In a form: go on to the next field that is empty or proposed, and save after the last one'],
  ['Ctrl+Enter', 'In the form of a new contract: save, and add another'],
  ['Esc', 'Leave a form. If anything isn’t saved yet, you are asked first.'],
  ['Enter', 'Among several contracts: go on to the next cell that is empty or proposed, and then to the next row'],
  ['Ctrl+V', 'Among several contracts: paste cells from a spreadsheet'],
  ['Ctrl+Enter', 'Among several contracts: save all'],
]

/** Lists the keys that save the way to the mouse. */
export function helpPage({ shortcuts, update }: PageContext): Page {
  function turn(event: Event): void {
    shortcuts.turn((event.target as HTMLInputElement).checked)
    update()
  }

  return {
    title: () => 'Keyboard',
    view: () => html`
      ${showTable({
        caption: 'Keys',
        columns: [
          ['Key', ([key]) => html`<kbd>${key}</kbd>`],
          ['What it does', ([, does]) => does],
        ],
        rows: KEYS,
      })}
      <p><label class="choice"><input type="checkbox" .checked=${shortcuts.areOn()} @change=${turn}>
        Use n, g, / and ? wherever you are not typing, until this tab is closed or reloaded</label></p>
    `,
  }
}
