import type { Answer } from './caller.ts'
import { anyDoor, anyGateway, type Client, recordIn, rowOf } from './client.ts'
import { TOPICS } from './values.ts'

const PAGE = 10

/** Reads a record that others edit, one that was just created, or one that may be created next. */
export async function getAny(client: Client): Promise<void> {
  const { random, known } = client
  const which = random.next()
  const id = which < 0.7 ? known.hot()?.id : which < 0.9 ? known.recent() : known.next()
  if (id !== undefined) await get(client, id, anyDoor(client, { method: 'GET', path: `/contracts/${id}` })())
}

/** Reads a record by its id. */
export async function get(client: Client, id: number, gateway: number): Promise<void> {
  const call = client.now()
  const answer = await client.call(gateway, { method: 'GET', path: `/contracts/${id}` })
  const times = { call, return: client.now(), gateway, status: answer.words }
  if (answer.status === 200) client.record({ type: 'get', ...times, id, record: recordIn(answer) })
  else if (answer.status === 404) client.record({ type: 'get', ...times, id, record: null })
  else client.record({ type: 'failed-read', of: 'get', ...times })
}

/** Reads the newest records, of all or of a search, with the total. */
export async function list(client: Client): Promise<void> {
  const { random } = client
  const gateway = anyGateway(client)
  const search = random.chance(0.4) ? random.pick(TOPICS) : undefined
  const call = client.now()
  const answer = await listed(client, gateway, search)
  const times = { call, return: client.now(), gateway, status: answer.words }
  if (answer.status !== 200) return client.record({ type: 'failed-read', of: 'list', ...times })
  const { contracts, total } = answer.body
  const filter = search === undefined ? {} : { search }
  client.record({ type: 'list', ...times, ...filter, total, rows: contracts.map(rowOf) })
}

/** Searches for a word that an edit gave to one record. */
export async function find(client: Client): Promise<void> {
  const hot = client.known.hot()
  if (hot === undefined || hot.words.length === 0) return getAny(client)
  const gateway = anyGateway(client)
  const { id } = hot
  const word = client.random.pick(hot.words)
  const call = client.now()
  const answer = await listed(client, gateway, word)
  const times = { call, return: client.now(), gateway, status: answer.words }
  if (answer.status !== 200) return client.record({ type: 'failed-read', of: 'find', ...times })
  const rows = answer.body.contracts.map(rowOf)
  client.record({ type: 'find', ...times, id, word, row: rows[0] ?? null })
}

const listed = ({ call }: Client, gateway: number, search: string | undefined): Promise<Answer> =>
  call(gateway, {
    method: 'GET',
    path: `/contracts?limit=${PAGE}${search === undefined ? '' : `&search=${search}`}`,
  })
