import type { Answer } from './caller.ts'
import { anyGateway, type Client } from './client.ts'

/**
 * This long after an answer about a moment, its reports are final: a second until all processes know, plus the time for
 * which one may be frozen or cut off with a write that it has already stamped. In milliseconds.
 */
const FINAL_AFTER = 45_000

export const QUERIES = ['', 'groupBy=month', 'groupBy=clientId', 'groupBy=clientId,month', 'serviceDateTo=2024-02-29']

/** The query, its moment (undefined: now), and whether that is known to be final. */
interface ReportOptions {
  readonly query?: string
  readonly asOf?: number | undefined
  readonly isFinal?: boolean
}

/** Reads a report of contracts as of now or an earlier report's moment. Returns the moment. */
export async function report(client: Client, options: ReportOptions = {}): Promise<number | undefined> {
  const { random, known, now } = client
  const isOfNow = 'asOf' in options ? options.asOf === undefined : known.moments.length === 0 || random.chance(0.3)
  const asked = isOfNow ? undefined : (options.asOf ?? random.pick(known.moments).asOf)
  const query = options.query ?? random.pick(QUERIES)
  const gateway = anyGateway(client)
  const call = now()
  const isFinal = options.isFinal ?? isSettled(client, asked)
  const answer = await reported(client, gateway, query, asked)
  const times = { call, return: now(), gateway, status: answer.words }
  if (answer.status !== 200) return void client.record({ type: 'failed-read', of: 'report', ...times })
  const { asOf: shown, sums, rows } = answer.body
  const asOf = Date.parse(shown)
  if (isOfNow) known.moments.push({ asOf, answered: now() })
  // Rows with the same total are ordered by name.
  const unnamed = rows.map(({ displayName: _, ...row }: { displayName?: unknown }) => JSON.stringify(row)).sort()
  client.record({ type: 'report', ...times, query, asOf, isOfNow, isFinal, rows: unnamed.join(), sums })
  return asOf
}

/** Reads the changes between the moments of two earlier reports, with the reports of both. */
export async function changes(client: Client, options: Pick<ReportOptions, 'isFinal'> = {}): Promise<void> {
  const { random, known, now } = client
  if (known.moments.length < 2) return void (await report(client))
  const [since, until] = [random.pick(known.moments).asOf, random.pick(known.moments).asOf].sort(
    (one, other) => one - other,
  ) as [number, number]
  const gateway = anyGateway(client)
  const isFinal = options.isFinal ?? (isSettled(client, since) && isSettled(client, until))
  const call = now()
  const path = `/reports/contracts/changes?since=${textOf(since)}&until=${textOf(until)}&limit=1`
  const listed = await client.call(gateway, { method: 'GET', path })
  const before = await reported(client, gateway, '', since)
  const after = await reported(client, gateway, '', until)
  const times = { call, return: now(), gateway }
  if (listed.status !== 200) return failed(listed)
  if (before.status !== 200) return failed(before)
  if (after.status !== 200) return failed(after)
  const { difference } = listed.body
  const sums = { since: before.body.sums, until: after.body.sums, difference }
  client.record({ type: 'changes', ...times, status: listed.words, isFinal, ...sums })

  function failed({ words: status }: Answer): void {
    client.record({ type: 'failed-read', of: 'changes', ...times, status })
  }
}

/** Whether the moment was first reported on long enough ago. */
const isSettled = ({ known, now }: Client, moment: number | undefined): boolean =>
  known.moments.some(({ asOf, answered }) => asOf === moment && answered < now() - FINAL_AFTER)

const reported = ({ call }: Client, gateway: number, query: string, asOf: number | undefined): Promise<Answer> =>
  call(gateway, {
    method: 'GET',
    path: `/reports/contracts?limit=1000&${query}${asOf === undefined ? '' : `&asOf=${textOf(asOf)}`}`,
  })

const textOf = (moment: number): string => new Date(moment).toISOString()
