import assert from 'node:assert/strict'
import { bodyExampleOf, computedNamesOf } from '../../shared/fields/field-table.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'

/** Values that a field refuses, and how. */
const REFUSED: Record<string, readonly (readonly [field: string, value: unknown, code: string])[]> = {
  contracts: [
    ['clientId', '11111111-1111-1111-1111-11111111111', 'invalid_uuid'],
    ['serviceName', 'x'.repeat(201), 'too_long'],
    ['serviceType', '\u2003', 'blank'],
    ['serviceType', 'x'.repeat(101), 'too_long'],
    ['serviceDate', '2026-01-31T09:30:00.000Z', 'invalid_date'],
    ['serviceDate', '2026-01-31T00:00:00Z', 'invalid_date'],
    ['serviceDate', '2026-02-29T00:00:00.000Z', 'invalid_date'],
    ['serviceFee', '19.99', 'wrong_type'],
    ['serviceFee', -1_000_000_000_001, 'out_of_range'],
    ['serviceFee', 1_000_000_000_001, 'out_of_range'],
    ['serviceFee', true, 'wrong_type'],
    ['taxPercent', 1000.5, 'out_of_range'],
    ['taxPercent', null, 'wrong_type'],
    ['serviceDate', '2026-02-29', 'invalid_date'],
    ['serviceDate', '', 'invalid_date'],
    ['notes', 'x'.repeat(10_001), 'too_long'],
    ['notes', 'a\0b', 'invalid_characters'],
    ['notes', '\ud800', 'invalid_characters'],
    ['notes', ['x'], 'wrong_type'],
    ['notes', null, 'wrong_type'],
  ],
  businesses: [
    ['legalName', '', 'blank'],
    ['legalName', null, 'wrong_type'],
    ['legalName', 'x'.repeat(301), 'too_long'],
    ['operatedAs', 'x'.repeat(301), 'too_long'],
    ['operatedAs', null, 'wrong_type'],
    ['businessNumber', 'x'.repeat(51), 'too_long'],
    ['taxId', 'x'.repeat(51), 'too_long'],
    ['taxId', 5, 'wrong_type'],
    ['phone', 'x'.repeat(51), 'too_long'],
    ['phone', '\udfff', 'invalid_characters'],
    ['email', 'nobody', 'invalid_email'],
    ['email', null, 'wrong_type'],
    ['ownershipType', 'Private', 'not_allowed'],
    ['ownershipType', '', 'not_allowed'],
    ['ownershipType', null, 'wrong_type'],
    ['industryType', 'mining', 'not_allowed'],
    ['incorporationDate', '2023-02-29', 'invalid_date'],
    ['incorporationDate', '1998-04-30T00:00:00.000Z', 'invalid_date'],
    ['incorporationDate', null, 'wrong_type'],
  ],
}

/** A record of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
type AnyRecord = any

type Filter = { [Name in KindName]: keyof (typeof KINDS)[Name]['filters'] }[KindName]

/** For each filter of a list, a value that matches no record. */
const MATCHING_NONE: Readonly<Record<Filter, string>> = {
  clientId: '99999999-9999-9999-9999-999999999999',
  clientName: 'nobody',
  serviceType: 'nothing',
  serviceDateFrom: '9999-12-31',
  serviceDateTo: '0001-01-01',
  email: 'nobody@example.com',
  taxId: 'none',
  search: 'nowhere',
  updatedSince: '2999-01-01T00:00:00Z',
}

/** The same, with a value on the limit of what matches this record; undefined: tested with its service. */
const MATCHING: Readonly<Record<Filter, (record: AnyRecord) => string | undefined>> = {
  clientId: ({ clientId }) => clientId.toUpperCase(),
  clientName: () => undefined,
  serviceType: ({ serviceType }) => serviceType,
  serviceDateFrom: ({ serviceDate }) => serviceDate.slice(0, 10),
  serviceDateTo: ({ serviceDate }) => serviceDate.slice(0, 10),
  email: ({ email }) => email,
  taxId: ({ taxId }) => taxId ?? '',
  search: ({ serviceName, legalName }) => serviceName ?? legalName,
  updatedSince: ({ updatedAt }) => updatedAt,
}

// What all kinds of records have in common. What is specific to a kind is in its own suite.
for (const { many, fields, filters, examples } of Object.values(KINDS)) {
  overEachTransport(`Records over REST, ${many}`, (call) => {
    const example = bodyExampleOf(fields)
    const changes = examples.changes ?? examples.edited.to

    async function created() {
      const answer = await call('POST', `/${many}`, example)
      assert.equal(answer.status, 201, answer.text)
      return { answer, record: answer.body, path: `/${many}/${answer.body.id}` }
    }

    it('have all their fields in the order of their field table, a location and a version', async () => {
      const { answer, record, path } = await created()
      assert.deepEqual(Object.keys(record), Object.keys(fields))
      assert.match(record.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(record.updatedAt, record.createdAt)
      const headers = ['location', 'etag', 'content-type', 'idempotency-replayed'].map((name) =>
        answer.headers.get(name),
      )
      assert.deepEqual(headers, [path, '"1"', 'application/json; charset=utf-8', null])
      const [get, head] = [await call('GET', path), await call('HEAD', path)]
      assert.deepEqual([get.text, head.status, head.text], [answer.text, 200, ''])
      for (const name of ['etag', 'content-type', 'content-length']) {
        assert.equal(head.headers.get(name), get.headers.get(name))
      }
    })

    it('are listed by each filter only if they match it', async () => {
      const { record: before, path } = await created()
      while (Date.now() <= Date.parse(before.createdAt)) await call('GET', path)
      const { body: record } = await call('PATCH', path, changes)
      for (const name of Object.keys(filters) as Filter[]) {
        const { body } = await call('GET', `/${many}?${name}=${MATCHING_NONE[name]}`)
        assert.deepEqual(body, { [many]: [], total: 0 }, name)
        const value = MATCHING[name](record)
        if (value === undefined) continue
        const found = (await call('GET', `/${many}?${name}=${encodeURIComponent(value)}`)).body[many]
        assert.ok(
          found.some(({ id }: AnyRecord) => id === record.id),
          name,
        )
      }
    })

    it('are changed by an edit only if it changes something', async () => {
      const { answer, record, path } = await created()
      for (const nothing of [{}, example]) {
        const { status, text, headers } = await call('PATCH', path, nothing)
        assert.deepEqual([status, text, headers.get('etag')], [200, answer.text, '"1"'])
      }
      const edited = await call('PATCH', path, changes)
      assert.deepEqual([edited.status, edited.headers.get('etag')], [200, '"2"'])
      assert.deepEqual({ ...edited.body, ...changes }, edited.body)
      assert.ok(edited.body.updatedAt >= record.createdAt)
      assert.equal((await call('GET', path)).text, edited.text)
    })

    for (const [name, code] of [
      ...computedNamesOf(fields).map((name) => [name, 'computed_field'] as const),
      ['toString', 'unknown_field'],
      ['clientType', 'unknown_field'],
    ] as const) {
      it(`with ${name} are refused as ${code}, on creation and on edit`, async () => {
        const { record, path } = await created()
        const given = { [name]: Object.hasOwn(record, name) ? record[name] : 'x' }
        assertInvalid(await call('POST', `/${many}`, { ...example, ...given }), [`body /${name} ${code}`])
        assertInvalid(await call('PATCH', path, given), [`body /${name} ${code}`])
      })
    }

    for (const [field, value, code] of REFUSED[many] ?? assert.fail(many)) {
      it(`with the ${field} ${JSON.stringify(value).slice(0, 30)} are refused as ${code}, on creation and on edit`, async () => {
        const { path } = await created()
        assertInvalid(await call('POST', `/${many}`, { ...example, [field]: value }), [`body /${field} ${code}`])
        assertInvalid(await call('PATCH', path, { [field]: value }), [`body /${field} ${code}`])
      })
    }

    it('that do not exist are not_found, and a malformed id is refused', async () => {
      const { record } = await created()
      const unknown = typeof record.id === 'number' ? Number.MAX_SAFE_INTEGER : '11111111-1111-1111-1111-111111111111'
      for (const [method, end, body] of [
        ['GET', '', undefined],
        ['HEAD', '', undefined],
        ['GET', '/history', undefined],
        ['PATCH', '', {}],
      ] as const) {
        const missing = await call(method, `/${many}/${unknown}${end}`, body)
        if (method === 'HEAD') assert.equal(missing.status, 404)
        else assertProblem(missing, 404, 'not_found')
        const malformed = await call(method, `/${many}/7x${end}`, body)
        assert.equal(malformed.status, 400)
        if (method !== 'HEAD') assert.equal(malformed.body.errors[0].pointer, '/id')
      }
    })
  })
}
