import { bodyExampleOf } from '../../shared/fields/field-table.ts'
import type { Kind } from '../../shared/kinds/kind.ts'
import { csvHeader, csvLines } from './csv-file.ts'

/** An example of a file that creates records of a kind. */
export function exampleFileOf({ fields, examples }: Kind): string {
  const example = bodyExampleOf(fields)
  const columns = Object.keys(example)
  return examples.file ?? csvHeader(columns) + csvLines(columns, [example])
}
