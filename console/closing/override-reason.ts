import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { reasonField } from './reason-field.ts'

/** The scope that writing into closed time takes. */
export const OVERRIDE_SCOPE = 'closing:override'

interface ReasonOptions {
  readonly label: string
  readonly reason: string
  readonly changed: (reason: string) => void
  readonly document: ApiDocument
}

/** Where somebody writes why something is saved in closed time. */
export function showOverrideReason({ label, reason, changed, document }: ReasonOptions): TemplateResult {
  return html`<p><label for="override-reason">${label}</label>
    <input id="override-reason" type="text" maxlength=${reasonField(document)?.maxLength ?? nothing} autocomplete="off" .value=${reason}
      @input=${(event: Event) => changed((event.target as HTMLInputElement).value)}></p>`
}

/** The header that says why something is written into closed time; none for ''. */
export const overrideHeader = (reason: string): { readonly 'Closing-Override'?: string } =>
  reason === '' ? {} : { 'Closing-Override': encodeURIComponent(reason) }
