import type { ApiDocument } from '../api/document.ts'
import { type Field, recordFields } from '../fields/fields.ts'

/** The reason of a closing as the API describes it. One for writing into closed time has the same form. */
export function reasonField(document: ApiDocument): Field | undefined {
  return recordFields(document, 'NewClosing', 'NewClosing').find(({ name }) => name === 'reason')
}
