import Big from 'big.js'
import type { History } from '../history.ts'
import type { Report, Sums } from '../history-of-reports.ts'
import { earliestIn } from './deposed.ts'
import { wrongTotals } from './lists.ts'

/**
 * Errors in reports: a final one that changed, a current one that lacks an earlier acknowledged write, or two that
 * differ by anything but the changes between them.
 */
export function violationsOfReports(history: History): string[] {
  const earliestOf = earliestIn(history.deposed)
  const ofNow = history.report
    .filter(({ isOfNow, query }) => isOfNow && !query.includes('serviceDate'))
    .map((report) => ({ ...report, total: report.sums.count, earliest: earliestOf(report) }))
  return [...changedReports(history), ...wrongTotals(ofNow, history.create, named), ...wrongDifferences(history)]
}

/** Compares each final report with the next one as of the same moment. */
function changedReports(history: History): string[] {
  const byMoment = Map.groupBy(history.report, ({ query, asOf }) => `${query} ${asOf}`)
  return [...byMoment.values()].flatMap((reports) => {
    const begun = reports.toSorted((one, other) => one.call - other.call)
    return begun
      .filter(({ isFinal }) => isFinal)
      .flatMap((report) => {
        const again = begun.find(({ call }) => call >= report.return)
        if (again === undefined || textOf(again) === textOf(report)) return []
        return [`${named(report)} had ${shownOf(report)}, and from ${again.call.toFixed(3)} ms on ${shownOf(again)}`]
      })
  })
}

const textOf = ({ sums, rows }: Report): string => JSON.stringify([sums, rows])

const shownOf = ({ sums, rows }: Report): string => `${JSON.stringify(sums)} in ${JSON.parse(rows).length} rows`

function wrongDifferences(history: History): string[] {
  return history.changes.flatMap(({ since, until, difference, isFinal, call }) => {
    const isRight = (['serviceFee', 'tax', 'totalFeeWithTax', 'count'] as const).every((sum: keyof Sums) =>
      new Big(since[sum]).plus(difference[sum]).eq(until[sum]),
    )
    if (isRight || !isFinal) return []
    return [`the changes from ${call.toFixed(3)} ms are ${JSON.stringify({ since, difference, until })}`]
  })
}

const named = ({ query, asOf, call, gateway }: Pick<Report, 'query' | 'asOf' | 'call' | 'gateway'>): string =>
  `the report ${query} as of ${new Date(asOf).toISOString()} from ${call.toFixed(3)} ms, gateway ${gateway},`
