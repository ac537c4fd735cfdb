/** What requests for CSV files may hold in the query. */
import { z } from 'zod'
import { flagText } from '../../shared/fields/choice.ts'

export const csvImportQuery = z.strictObject({
  dryRun: flagText.meta({
    description:
      'Checks everything, answers as if it had been written, and writes nothing. With an Idempotency-Key, `replayed` counts what earlier requests wrote under it, and the key of another file is refused.',
  }),
})

/** What an export takes beside the parameters of its list. */
export const csvExportParameters = {
  bom: flagText.meta({ description: 'Starts the file with a byte order mark, by which Excel recognises UTF-8.' }),
}
