import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { type Field, recordFields } from '../fields/fields.ts'

/** The scope that writing into closed time takes. */
export const OVERRIDE_SCOPE = 'closing:override'

/** The reason of a closing as the API describes it. One for writing into closed time has the same form. */
export function reasonField(document: ApiDocument): Field | undefined {
  return recordFields(document, 'NewClosing', 'NewClosing').find(({ name }) => name === 'reason')
}

/** Where somebody writes why something is saved in closed time. */
export function showOverrideReason(
  { label, reason, changed }: { label: string; reason: string; changed: (reason: string) => void },
  document: ApiDocument,
): TemplateResult {
  return html`<p><label for="override-reason">${label}</label>
    <input id="override-reason" type="text" maxlength=${reasonField(document)?.maxLength ?? nothing} autocomplete="off" .value=${reason}
      @input=${(event: Event) => changed((event.target as HTMLInputElement).value)}></p>`
}

/** The header that says why something is written into closed time; none for ''. */
export const overrideHeader = (reason: string): { readonly 'Closing-Override'?: string } =>
  reason === '' ? {} : { 'Closing-Override': encodeURIComponent(reason) }
