import { html, type TemplateResult } from 'lit-html'

interface ToCopy {
  /** Of its field, for which it must be the only one of the page. */
  readonly id: string
  readonly label: string
  readonly text: string
  /** What is said once it is copied. */
  readonly copied: string
  /** The class of the button. */
  readonly button?: string
  readonly announce: (text: string) => void
}

/** A text to read and to copy. */
export function showToCopy({ id, label, text, copied, button = '', announce }: ToCopy): TemplateResult {
  const copy = async () => {
    const said = (await copyFrom(document.getElementById(id) as HTMLInputElement)) ? copied : BY_HAND
    const outcome = document.getElementById(`${id}-outcome`)
    if (outcome) outcome.textContent = said
    announce(said)
  }
  return html`<label for=${id}>${label}</label>
    <div class="copied">
      <input id=${id} class="secret" type="text" readonly autocomplete="off" spellcheck="false" .value=${text}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}>
      <button type="button" class=${button} @click=${copy}>Copy<span class="visually-hidden"> ${label}</span></button>
    </div>
    <p id="${id}-outcome" class="hint"></p>`
}

const BY_HAND = 'This browser doesn’t let the console copy. The text is selected: copy it by hand.'

/** Where the page came over plain HTTP, the browser copies only what is selected. */
async function copyFrom(field: HTMLInputElement): Promise<boolean> {
  const isCopied = await navigator.clipboard
    ?.writeText(field.value)
    .then(() => true)
    .catch(() => false)
  if (!isCopied) field.select()
  return isCopied || document.execCommand('copy')
}
