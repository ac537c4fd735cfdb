import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { type Field, recordFields } from '../fields/fields.ts'

/** The scope that writing into a closed period requires. */
export const OVERRIDE_SCOPE = 'closing:override'

/** The field for why the books are closed, as the API describes it. */
export function reasonField(document: ApiDocument): Field {
  const field = recordFields(document, 'NewClosing', 'NewClosing').find(({ name }) => name === 'reason')
  if (field === undefined) throw new Error('openapi.json has no reason of a closing')
  return field
}

/** The input for why something is saved in a closed period, which may be as long as a closing's reason. */
export function showOverrideReason(
  { label, reason, changed }: { label: string; reason: string; changed: (reason: string) => void },
  document: ApiDocument,
): TemplateResult {
  return html`<p><label for="override-reason">${label}</label>
    <input id="override-reason" type="text" maxlength=${reasonField(document).maxLength ?? nothing} autocomplete="off" .value=${reason}
      @input=${(event: Event) => changed((event.target as HTMLInputElement).value)}></p>`
}

/** The header that says why something is written into a closed period; none for ''. */
export const overrideHeader = (reason: string): { readonly 'Closing-Override'?: string } =>
  reason === '' ? {} : { 'Closing-Override': encodeURIComponent(reason) }
