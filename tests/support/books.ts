import assert from 'node:assert/strict'
import { aNewContract, OVERRIDING, type Rest } from './rest.ts'
import { waitFor } from './wait-for.ts'

/** A Mint's answers about its books, by path. */
export type Books = ReadonlyMap<string, string>

/**
 * Keeps some books: a renamed client, edited contracts, a month that is closed and then edited, and a firm that
 * sets its currency afterwards, an open proposal and a declined one.
 */
export async function keepBooks(call: Rest): Promise<Books> {
  const business = (await call('POST', '/businesses', { legalName: 'Before' })).body
  await isNamed(call, business.clientId, 'Before')
  const ofClient = { clientId: business.clientId, serviceDate: '2026-03-10' }
  const { id } = (await call('POST', '/contracts', aNewContract({ ...ofClient, serviceFee: 19.99 }))).body
  await call('POST', '/contracts', aNewContract({ ...ofClient, serviceType: 'audit', serviceDate: '2026-04-30' }))
  const first = await momentOf(call)
  await call('PUT', '/closing', { closedThrough: '2026-02-28', reason: 'February is filed.' })
  await call('PUT', '/closing', { closedThrough: '2026-03-31', reason: 'March is filed.' })
  await call('PATCH', `/businesses/${business.id}`, { operatedAs: 'After' })
  await isNamed(call, business.clientId, 'After')
  assert.equal((await call('PATCH', `/contracts/${id}`, { serviceFee: 25 }, OVERRIDING)).status, 200)
  const firm = { name: 'Harbour', address: '12 Quay Street\nHalifax', currency: 'JPY', timeZone: 'America/Halifax' }
  assert.equal((await call('PATCH', '/firm', firm)).status, 200)
  const proposed = { action: 'edit', contractId: id, version: 2, fields: { notes: 'Seen.' }, reason: 'A note.' }
  assert.equal((await call('POST', '/proposals', proposed)).status, 201)
  const declined = (await call('POST', '/proposals', proposed)).body.id
  assert.equal((await call('POST', `/proposals/${declined}/decline`, { reason: 'Twice.' })).status, 200)
  const second = await momentOf(call)
  const paths = [
    ...[first, second].map((moment) => `/reports/contracts?groupBy=month,clientId&asOf=${moment}`),
    `/reports/contracts.csv?groupBy=serviceType&asOf=${second}`,
    `/reports/contracts/lines?asOf=${second}`,
    `/reports/contracts/changes?since=${first}&until=${second}`,
    '/closing',
    '/closing/history',
    '/proposals',
    ...['/firm', `/firm?asOf=${first}`, '/firm/history'],
  ]
  const books = await readBooks(call, paths)
  const [before, after] = [...books.values()]
  assert.ok(before?.includes('Before') && after?.includes('After') && !after.includes('Before'), `${before} ${after}`)
  return books
}

/** Asserts that this Mint gives the same answers about the past. */
export async function assertSameBooks(call: Rest, books: Books): Promise<void> {
  assert.deepEqual(await readBooks(call, [...books.keys()]), books)
}

const momentOf = async (call: Rest): Promise<string> => (await call('GET', '/reports/contracts')).body.asOf

async function readBooks(call: Rest, paths: readonly string[]): Promise<Books> {
  const answers = paths.map(async (path) => {
    const { status, text } = await call('GET', path)
    assert.equal(status, 200, path)
    return [path, text] as const
  })
  return new Map(await Promise.all(answers))
}

async function isNamed(call: Rest, clientId: string, name: string): Promise<void> {
  // The report's names are those delivered by events; GET of a single Client would ask the businesses service.
  const isThere = async () => (await call('GET', `/clients?search=${name}`)).body.clients[0]?.clientId === clientId
  await waitFor(isThere, { what: `a client named ${name}` })
}
