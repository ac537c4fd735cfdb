/** What requests for reports may contain in their query. */
import { z } from 'zod'
import { calendarDate } from '../../shared/fields/calendar-date.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { uuidLike } from '../../shared/fields/identifiers.ts'
import { limitText, offsetText, rowsLimitText } from '../../shared/fields/lists.ts'
import { reportGroupsText } from '../../shared/fields/report-fields.ts'
import { upToTimestampText } from '../../shared/fields/timestamp.ts'
import { csvExportParameters } from './read-parameters.ts'

const filters = {
  clientId: uuidLike.optional().meta({ description: 'Only contracts of this client.' }),
  serviceType: contractFields.serviceType.rule
    .optional()
    .meta({ description: 'Only contracts of exactly this service type.' }),
  serviceDateFrom: calendarDate.optional().meta({ description: 'Only contracts of this service date or later.' }),
  serviceDateTo: calendarDate.optional().meta({ description: 'Only contracts of this service date or earlier.' }),
}

const PAST =
  'its millisecond included; not in the future. In a URL, write the + of an offset as %2B. Digits finer than milliseconds are ignored.'

const lines = {
  ...filters,
  asOf: upToTimestampText.optional().meta({
    description: `The report as it would have been at this moment, ${PAST} Now when absent.`,
  }),
}

const report = {
  groupBy: reportGroupsText.optional().meta({
    description:
      'One or two of `month` (of the service date), `clientId` and `serviceType`, separated by a comma: a row for each group. Without it there are only the sums.',
    examples: ['month,clientId'],
  }),
  ...lines,
}

export const reportQuery = z.strictObject({ ...report, limit: rowsLimitText, offset: offsetText })

export const reportExportQuery = z.strictObject({ ...report, ...csvExportParameters })

export const reportLinesQuery = z.strictObject({ ...lines, limit: rowsLimitText, offset: offsetText })

export const reportLinesExportQuery = z.strictObject({ ...lines, ...csvExportParameters })

export const reportChangesQuery = z.strictObject({
  since: upToTimestampText.meta({ description: `The earlier moment, ${PAST}` }),
  until: upToTimestampText
    .optional()
    .meta({ description: 'The later moment, by the same rules; now when absent. Not before `since`.' }),
  ...filters,
  limit: limitText,
  offset: offsetText,
})
