import { waitFor } from '../../support/wait-for.ts'
import type { Row } from '../history.ts'
import type { VersionedClosing } from '../history-of-closings.ts'
import type { Call } from './caller.ts'
import { type Client, recordIn, rowOf } from './client.ts'
import { type FollowedFeed, followFeed } from './follow-feed.ts'
import { recordNames } from './names-at-end.ts'
import { changes, QUERIES, report } from './reports.ts'

/** How many histories are read besides those of edited records: `mint verify` folds all of them. */
const SAMPLE = 300

/** For how many moments reports are read again. */
const MOMENTS = 100

/** Reads everything that the checks compare with the operations, once nothing is in progress. */
export async function recordEndState(client: Client, edited: ReadonlySet<number>, feed: FollowedFeed): Promise<void> {
  const { now, record, random } = client
  const get = answering(client.call)
  const call = now()
  const contracts = await readPages<Row>(get, '/contracts', ({ contracts }) => contracts.map(rowOf))
  const businesses = await readPages<{ id: string; legalName: string }>(get, '/businesses', (body) => body.businesses)
  const names = businesses.map(({ legalName }) => legalName)
  const businessIds = businesses.map(({ id }) => id)
  record({ type: 'end', call, return: now(), contracts, businesses: names, businessIds })
  record({ type: 'feed', events: await followFeed(client).end(), followed: await feed.end() })

  await recordClosings(client, get)
  await recordNames(client, get)
  const moments = [...new Set(client.known.moments.map(({ asOf }) => asOf))]
  const again = Array.from({ length: Math.min(MOMENTS, moments.length) }, () => random.pick(moments))
  for (const asOf of again) {
    for (const query of QUERIES) await report(client, { query, asOf })
    await changes(client, { isFinal: true })
  }
  const sample = Array.from({ length: Math.min(SAMPLE, contracts.length) }, () => random.pick(contracts).id)
  for (const id of new Set([...edited, ...sample])) {
    const call = now()
    const row = recordIn(await get(`/contracts/${id}`))
    const events = []
    for (let total = row.version; events.length < total; ) {
      const { body } = await get(`/contracts/${id}/history?limit=100&offset=${events.length}`)
      if (body.events.length === 0) break
      events.push(...body.events)
      total = body.total
    }
    const changes = events.map(({ version, data: { serviceName, serviceType, notes, serviceDate } }) => ({
      version,
      data: { serviceName, serviceType, notes, serviceDate: serviceDate?.slice(0, 'YYYY-MM-DD'.length) },
    }))
    record({ type: 'record-history', call, return: now(), record: row, events: changes })
  }
}

async function recordClosings({ now, record }: Client, get: Get): Promise<void> {
  const call = now()
  const closings: VersionedClosing[] = []
  for (;;) {
    const { body } = await get(`/closing/history?limit=100&offset=${closings.length}`)
    const page: readonly VersionedClosing[] = body.events
    if (page.length === 0) break
    closings.push(...page.map(({ version, closedThrough, reason }) => ({ version, closedThrough, reason })))
  }
  record({ type: 'closing-history', call, return: now(), closings })
}

export type Get = ReturnType<typeof answering>

/** Retries until it is answered, as the processes have just started. */
const answering = (call: Call) => (path: string) =>
  waitFor(
    async () => {
      const answer = await call(0, { method: 'GET', path })
      return answer.status === 200 ? answer : undefined
    },
    { timeout: 60_000, what: path, every: 100 },
  )

// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
type Page<T> = (body: any) => T[]

async function readPages<T extends { readonly id: number | string }>(
  get: Get,
  path: string,
  rowsOf: Page<T>,
): Promise<T[]> {
  const all: T[] = []
  for (;;) {
    const last = all.at(-1)
    const { body } = await get(`${path}?limit=100${last === undefined ? '' : `&after=${last.id}`}`)
    const rows = rowsOf(body)
    if (rows.length === 0) return all
    all.push(...rows)
  }
}
