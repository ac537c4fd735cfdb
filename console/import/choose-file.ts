import { html, type TemplateResult } from 'lit-html'
import { text } from '../languages/texts.ts'

/** The area where a file is dropped, or chosen. */
export function showFileChoice(isDisabled: boolean, chosen: (file: File) => void): TemplateResult {
  const change = (event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (file) chosen(file)
  }
  /** Lets the same file be chosen again. */
  const forget = (event: Event) => {
    ;(event.target as HTMLInputElement).value = ''
  }
  const over = (event: DragEvent) => {
    event.preventDefault()
    mark(event, true)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    mark(event, false)
    const { files } = event.dataTransfer ?? {}
    if (!files?.[0] || isDisabled) return
    const input = document.querySelector<HTMLInputElement>('#file')
    if (input) input.files = files
    chosen(files[0])
  }
  return html`<div class="drop" @dragover=${over} @dragleave=${(event: DragEvent) => mark(event, false)} @drop=${drop}>
    <label for="file">${text('import.file')}</label>
    <input id="file" type="file" accept=".xlsx,.csv,text/csv" aria-describedby="file-hint" ?disabled=${isDisabled} @click=${forget} @change=${change}>
    <p class="hint" id="file-hint">${text('import.fileHint')}</p>
  </div>`
}

function mark(event: DragEvent, isOver: boolean): void {
  ;(event.currentTarget as HTMLElement).classList.toggle('over', isOver)
}
