import { html, type TemplateResult } from 'lit-html'
import type { Page, PageContext } from '../frame/page.ts'
import { showTable } from '../lists/table.ts'

interface Key {
  readonly keys: readonly string[]
  readonly does: string
}

const ANYWHERE: readonly Key[] = [
  { keys: ['n'], does: 'New contract; on the list of businesses, a new business.' },
  { keys: ['g'], does: 'Enter several contracts at once, as in a spreadsheet.' },
  { keys: ['/'], does: 'Search.' },
  { keys: ['?'], does: 'This page.' },
]

const IN_FORMS: readonly Key[] = [
  { keys: ['Enter'], does: 'Goes on to the next field that is empty or proposed, and saves after the last one.' },
  { keys: ['Ctrl', 'Enter'], does: 'Saves a new contract and adds another.' },
  { keys: ['Esc'], does: 'Leaves the form. If anything is not saved yet, you are asked first.' },
]

const IN_GRID: readonly Key[] = [
  { keys: ['Enter'], does: 'Goes on to the next cell that is empty or proposed, and then to the next row.' },
  { keys: ['↑'], does: 'Goes to the cell above.' },
  { keys: ['↓'], does: 'Goes to the cell below.' },
  { keys: ['Ctrl', 'V'], does: 'Pastes cells that were copied from a spreadsheet, from the cell where you are.' },
  { keys: ['Ctrl', 'Enter'], does: 'Saves all rows.' },
  { keys: ['Esc'], does: 'Leaves. If anything is not saved yet, you are asked first.' },
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
      ${section('Wherever you are not typing', ANYWHERE)}
      <p><label class="choice"><input type="checkbox" .checked=${shortcuts.areOn()} @change=${turn}>
        Use these keys, until this tab is closed or reloaded</label></p>
      ${section('In a form', IN_FORMS)}
      ${section('Where several contracts are entered at once', IN_GRID)}
    `,
  }
}

function section(title: string, rows: readonly Key[]): TemplateResult {
  const shown = ({ keys }: Key) => keys.map((key, index) => html`${index > 0 ? ' + ' : ''}<kbd>${key}</kbd>`)
  return html`<section class="keyboard"><h2>${title}</h2>
    ${showTable<Key>({
      caption: title,
      columns: [
        ['Key', shown],
        ['What it does', ({ does }) => does],
      ],
      rows,
    })}
  </section>`
}
