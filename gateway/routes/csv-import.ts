import { z } from 'zod'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { commitIdOfPart } from '../../shared/calls/ids.ts'
import type { ViolationCode } from '../../shared/fields/rule.ts'
import type { KindPlural } from '../../shared/kinds/registry.ts'
import type { ImportCalls } from '../csv/import/csv-import.ts'
import { importFile } from '../csv/import/import-file.ts'
import { collectViolations } from '../csv/import/violations.ts'
import type { Tables } from '../csv/tables.ts'
import { inTime } from '../http/deadline.ts'
import { csvImportQuery } from '../schemas/read-parameters.ts'
import { type Endpoint, fileEndpoint, type ReceivedFile } from './endpoint.ts'

/** Creates records from a CSV file: all of its rows, or none. */
export function csvImportEndpoint(many: KindPlural, { rows, example, aboutColumns = '' }: Tables): Endpoint {
  return fileEndpoint({
    operationId: `import${many.charAt(0).toUpperCase()}${many.slice(1)}`,
    summary: `Create ${many} from a CSV file`,
    description: ABOUT + aboutColumns,
    answers: { 200: { description: 'The result of the import or dry run.', schema: importedShape } },
    scope: `${many}:write`,
    query: csvImportQuery,
    file: {
      mediaTypes: ['text/csv'],
      schema: z.string().meta({ examples: [example] }),
      description:
        'CSV in UTF-8, with or without a byte order mark: at most 10,000 rows and 10,000,000 bytes, and at most 102,400 bytes in each row.',
    },
    async answer({ query: { dryRun, ids: asksForIds }, context, file }) {
      const violations = collectViolations(file.errors)
      // With an invalid query it isn't known whether this is a dry run, but nothing will be written.
      const isDryRun = dryRun ?? file.errors.length > 0
      const hasKey = file.idempotencyKey !== undefined
      if (!hasKey && !isDryRun) violations.add(KEY_MISSING)
      const calls = callsOf(context, file, hasKey)
      const { ids, ...counts } = await importFile(rows, { bytes: file.bytes, isDryRun, violations }, calls)
      return { status: 200, body: JSON.stringify(asksForIds ? { ...counts, ids } : counts), headers: {} }
    },
  })
}

/** Each call has its own deadline; each row's write has its own commit id, derived from the request's. */
function callsOf(
  context: CallContext,
  { callMilliseconds, checkKey }: ReceivedFile,
  isRepeatable: boolean,
): ImportCalls {
  const { commitId = '', requestHash = '', ...caller } = context
  const commitOf = (row: number) => ({ commitId: commitIdOfPart(commitId, row), requestHash })
  return {
    context(row) {
      const deadline = Date.now() + callMilliseconds
      return { ...caller, deadline, ...(row && { ...commitOf(row.number), isNewCommit: row.isNew }) }
    },
    commitOf: isRepeatable ? commitOf : undefined,
    inTime: (answer, isWrite) => inTime(answer, callMilliseconds, isWrite),
    checkKey,
  }
}

const KEY_MISSING = {
  in: 'header',
  pointer: '/Idempotency-Key',
  code: 'required' satisfies ViolationCode,
  message:
    'Required, but missing. Give a new key for each file, and the same one to send a file again; or try with ?dryRun=true.',
} as const

const ABOUT = `Separated by commas or semicolons, with LF or CRLF. The first line names the fields of creation; columns that the service sets (ids, totals, times) are ignored, so that an exported file can be sent back. An empty cell is a field that is not given. Amounts have a decimal point; dates are YYYY-MM-DD, or as JSON has them. One leading apostrophe of a text is removed.

Every row is checked first. If any is wrong, the answer lists what is wrong, with the line where the row begins, and nothing is written. With \`dryRun\` nothing is written in any case.

The rows are written under the Idempotency-Key, which is required: after an interruption, send the same file again with the same key. It resumes where it stopped, and no row is written twice. Another file with that key is refused. A refusal during the writing ends it; the rows written so far stay, and \`written\` in the answer counts them.

How many files of a key are imported at once depends on their size. A file that would have to wait longer than 20 seconds is answered 429 \`rate_limited\`, and none of it is written.`

const count = z.int().min(0)

/** The result of an import. */
const importedShape = z
  .object({
    rows: count.meta({ description: 'How many rows the file has, without empty ones.' }),
    created: count.meta({ description: 'How many records this request created; in a dry run, how many it would.' }),
    replayed: count.meta({ description: 'How many an earlier request with the same Idempotency-Key had created.' }),
    ids: z
      .array(z.union([z.int(), z.string()]))
      .optional()
      .meta({
        description: 'Only if the query asks for them: the ids of the records that `replayed` counts.',
      }),
  })
  .meta({ id: 'Imported', examples: [{ rows: 120, created: 120, replayed: 0 }] })
