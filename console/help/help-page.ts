import { html } from 'lit-html'
import type { Page, PageContext } from '../frame/page.ts'
import { type TextName, text } from '../languages/texts.ts'
import { showTable } from '../lists/table.ts'

const KEYS: readonly (readonly [key: string, does: TextName])[] = [
  ['n', 'help.new'],
  ['g', 'help.several'],
  ['/', 'word.search'],
  ['?', 'help.help'],
  [text('help.key.enter'), 'help.enterInForm'],
  [text('help.key.ctrlEnter'), 'help.saveAndAdd'],
  [text('help.key.esc'), 'help.leave'],
  [text('help.key.enter'), 'help.enterInGrid'],
  [text('help.key.shiftEnter'), 'help.newLine'],
  [text('help.key.paste'), 'help.paste'],
  [text('help.key.ctrlEnter'), 'help.saveAll'],
]

/** Lists the keys that save reaching for the mouse. */
export function helpPage({ shortcuts, update }: PageContext): Page {
  function turn(event: Event): void {
    shortcuts.turn((event.target as HTMLInputElement).checked)
    update()
  }

  return {
    title: () => text('help.title'),
    view: () => html`
      ${showTable({
        caption: text('help.caption'),
        columns: [
          [text('help.key'), ([key]) => html`<kbd>${key}</kbd>`],
          [text('help.does'), ([, does]) => text(does)],
        ],
        rows: KEYS,
      })}
      <p class="lead-on"><label class="choice"><input type="checkbox" .checked=${shortcuts.areOn()} @change=${turn}>
        ${text('help.turn')}</label></p>
    `,
  }
}
