import assert from 'node:assert/strict'
import { bodyExampleOf, computedNamesOf } from '../../shared/fields/field-table.ts'
import { KINDS } from '../../shared/kinds/registry.ts'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'

// What all kinds of records have in common. What is specific to a kind is in its own suite.
for (const { many, fields, examples } of Object.values(KINDS)) {
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
