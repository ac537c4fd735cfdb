import { FIRST_CREATED, MINUTE } from '../fill.ts'
import { startFilled } from '../filled-mint.ts'
import { median } from '../measure/rounds.ts'
import { type BenchMint, timeOf } from '../mint.ts'
import { type Check, type Row, type SectionResult, timesRow } from '../result.ts'
import type { Bench } from '../section.ts'

const CONTRACTS = 1_000_000
const EDITS = 300_000
/** How often each report is requested. */
const TIMES = 15
/** The target for the median, in milliseconds. */
const AT_MOST = 250
const AT_MOST_BY_MONTH_AND_CLIENT = 700
const CHANGES_AT_MOST = 500
const LINES_AT_MOST = 50
/** The target for a repeated report. */
const AGAIN_AT_MOST = 50
/** How many milliseconds longer a search may take while reports run. */
const WAIT_AT_MOST = 20

/** Versions between the moments of two reports, so that none is cached. */
const VERSIONS_BETWEEN = 5_000

/** The moment at which there were this many versions. */
const momentOf = (versions: number): string => new Date(FIRST_CREATED + versions * MINUTE).toISOString()
const momentsBefore = (versions: number) => (time: number) => momentOf(versions - time * VERSIONS_BETWEEN)
const CLIENT = '00000000-0000-4000-8000-000000000007'

const REPORTS: readonly { readonly what: string; readonly query: string; readonly atMost?: number }[] = [
  { what: 'sums alone', query: '' },
  { what: 'by month', query: 'groupBy=month' },
  { what: 'by client', query: 'groupBy=clientId' },
  { what: 'by type', query: 'groupBy=serviceType' },
  { what: 'by month and type', query: 'groupBy=month,serviceType' },
  { what: 'by month and client', query: 'groupBy=month,clientId', atMost: AT_MOST_BY_MONTH_AND_CLIENT },
  { what: 'by client and type', query: 'groupBy=clientId,serviceType' },
  { what: 'by month, of one client', query: `groupBy=month&clientId=${CLIENT}` },
  { what: 'by client, of one month', query: 'groupBy=clientId&serviceDateFrom=2026-01-01&serviceDateTo=2026-01-31' },
]

/** Reports on an embedded Mint, over REST. */
export async function measureReports({ onEnd }: Bench): Promise<SectionResult> {
  const mint = onEnd(await startFilled(CONTRACTS, { edits: EDITS }))
  // It starts the thread for reports.
  await timeOf(mint, 'GET', '/reports/contracts')
  const rows: Row[] = []
  const checks: Check[] = []
  for (const { what, query, atMost = AT_MOST } of REPORTS) {
    for (const [when, asOf, limit] of [
      ['of the last months', momentsBefore(CONTRACTS + EDITS), atMost],
      ['of a past moment', momentsBefore(CONTRACTS / 2), atMost],
      ['asked again', () => momentOf(CONTRACTS), AGAIN_AT_MOST],
    ] as const) {
      const times = await repeated(mint, (time) => `/reports/contracts?${query}&asOf=${asOf(time)}`.replace('?&', '?'))
      rows.push(timesRow(`${what}, ${when}`, times))
      checks.push({ what: `${what}, ${when}`, value: median(times), unit: 'ms', atMost: limit })
    }
  }
  const beforeLast = (edits: number) => momentOf(CONTRACTS + EDITS - edits)
  for (const [what, path, atMost] of [
    ['1,000 changes', `changes?since=${beforeLast(1_000)}`, CHANGES_AT_MOST],
    ['300,000 changes', `changes?since=${beforeLast(EDITS)}`, CHANGES_AT_MOST],
    ['a page of all lines', 'lines', LINES_AT_MOST],
    ['a page of lines, of one month', 'lines?serviceDateFrom=2026-01-01&serviceDateTo=2026-01-31', LINES_AT_MOST],
    ['a page of lines, of one client', `lines?clientId=${CLIENT}`, LINES_AT_MOST],
  ] as const) {
    const times = await repeated(mint, () => `/reports/contracts/${path}`)
    rows.push(timesRow(what, times))
    checks.push({ what, value: median(times), unit: 'ms', atMost })
  }
  const search = () => repeated(mint, () => '/contracts?search=rare')
  const alone = median(await search())
  const beside = await besideReports(mint, search)
  rows.push(timesRow('a search while reports are made', beside))
  checks.push({
    what: 'what a search waits for reports',
    value: median(beside) - alone,
    unit: 'ms',
    atMost: WAIT_AT_MOST,
  })
  return { title: 'Reports over 1,000,000 contracts with 300,000 edits, embedded, over REST', rows, checks }
}

/** Runs `work` while reports run all the time. */
async function besideReports<Result>(mint: BenchMint, work: () => Promise<Result>): Promise<Result> {
  let working = true
  const reporting = (async () => {
    const asOf = momentsBefore(CONTRACTS)
    for (let time = 0; working; time = (time + 1) % 100) {
      await timeOf(mint, 'GET', `/reports/contracts?groupBy=month,clientId&asOf=${asOf(time)}`)
    }
  })()
  const result = await work()
  working = false
  await reporting
  return result
}

async function repeated(mint: BenchMint, path: (time: number) => string): Promise<number[]> {
  const times = []
  for (let time = 0; time < TIMES; time++) times.push(await timeOf(mint, 'GET', path(time)))
  return times
}
