import { html, type TemplateResult } from 'lit-html'
import type { PageContext } from '../frame/page.ts'
import { createSending } from '../frame/sending.ts'
import { text } from '../languages/texts.ts'

/** A CSV file of the API: where it is, and the name that it gets. */
interface CsvSource {
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  readonly name: string
}

/** Creates what saves CSV files of the API, one at a time. */
export function createDownload(context: PageContext) {
  const { api, signal, announce } = context
  const saving = createSending(context)

  async function save({ path, query, name }: CsvSource): Promise<void> {
    saveFile(await api.file(path, { query: { ...query, bom: 'true' }, signal }), name)
    announce(text('lists.saved'))
  }

  return {
    /** `what`: which file it is, for screen readers, where a page has several. */
    button(source: CsvSource, what?: string): TemplateResult {
      const isSaving = saving.isRunning()
      return html`<button type="button" ?disabled=${isSaving} @click=${() => saving.run(() => save(source))}>
        ${text(isSaving && what === undefined ? 'lists.saving' : 'lists.saveAsCsv')}${what && html`<span class="visually-hidden"> ${what}</span>`}
      </button>`
    },
    /** What went wrong with the last one. */
    problem: () => saving.view(),
  }
}

/** Has the browser save a file under a name. */
function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Once the browser has taken it over.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
