/** What requests for reports may contain in their query. */
import { z } from 'zod'
import { limitText, offsetText, rowsLimitText } from '../../shared/fields/lists.ts'
import { REPORT_GROUPS, reportFilters, reportGroupsText } from '../../shared/fields/report-fields.ts'
import { upToTimestampText } from '../../shared/fields/timestamp.ts'
import { csvExportParameters } from './read-parameters.ts'

const PAST =
  'its millisecond included; not in the future. In a URL, write the + of an offset as %2B. Digits finer than milliseconds are ignored.'

const lines = {
  ...reportFilters,
  asOf: upToTimestampText.optional().meta({
    description: `The report as it would have been at this moment, ${PAST} Now when absent.`,
  }),
}

const report = {
  groupBy: reportGroupsText.optional().meta({
    description: `One or two of ${REPORT_GROUPS.map((name) => `\`${name}\``).join(', ')}, separated by a comma: a row for each group. A month is that of the service date. Without it there are only the sums.`,
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
  ...reportFilters,
  limit: limitText,
  offset: offsetText,
})
