import { html, nothing, type TemplateResult } from 'lit-html'
import type { ApiDocument } from '../api/document.ts'
import { type Field, recordFields } from '../fields/fields.ts'

/** The scope that writing into a closed period requires. */
export const OVERRIDE_SCOPE = 'closing:override'

/** The field for why the books are closed, as the API describes it. */
export function reasonField(document: ApiDocument): Field {
  const field = recordFields(document, 'ClosingChange', 'ClosingChange').find(({ name }) => name === 'reason')
  if (field === undefined) throw new Error('openapi.json has no reason of a closing')
  return field
}

interface ReasonOptions {
  readonly id?: string
  readonly label: string
  readonly reason: string
  readonly changed: (reason: string) => void
}

/** The input for why something is done, such as saving in a closed period: as long as a closing's reason may be. */
export function showReason(
  { id = 'override-reason', label, reason, changed }: ReasonOptions,
  document: ApiDocument,
): TemplateResult {
  return html`<p><label for=${id}>${label}</label>
    <input id=${id} type="text" required maxlength=${reasonField(document).maxLength ?? nothing} autocomplete="off" .value=${reason}
      @input=${(event: Event) => changed((event.target as HTMLInputElement).value)}></p>`
}

/** The header that says why something is written into a closed period; none for ''. */
export const overrideHeader = (reason: string): { readonly 'Closing-Override'?: string } =>
  reason === '' ? {} : { 'Closing-Override': encodeURIComponent(reason) }
