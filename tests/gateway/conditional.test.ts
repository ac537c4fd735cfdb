import assert from 'node:assert/strict'
import { overTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

overTransport('grpc', 'Conditional requests', (call) => {
  async function contractAtVersion2(): Promise<string> {
    const { body } = await call('POST', '/contracts', aNewContract())
    await call('PATCH', `/contracts/${body.id}`, { notes: 'second' })
    return `/contracts/${body.id}`
  }

  for (const tags of ['"2"', 'W/"2"', '*', '"1", "2"', '"x",,W/"2" ', '"a,b", "2"']) {
    it(`If-None-Match ${tags} answers 304 when the record is at version 2`, async () => {
      const path = await contractAtVersion2()
      const answer = await call('GET', path, undefined, { 'if-none-match': tags })
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', '"2"'])
      assert.equal((await call('HEAD', path, undefined, { 'if-none-match': tags })).status, 304)
    })
  }

  for (const tags of ['"1"', '"22"', 'W/"3"', '"02"']) {
    it(`If-None-Match ${tags} returns the record when it is at version 2`, async () => {
      const answer = await call('GET', await contractAtVersion2(), undefined, { 'if-none-match': tags })
      assert.deepEqual([answer.status, answer.body.notes], [200, 'second'])
    })
  }

  for (const tags of ['"2"', '*', '"1", "2"', 'W/"2", "2"']) {
    it(`If-Match ${tags} allows an edit of version 2`, async () => {
      const answer = await call('PATCH', await contractAtVersion2(), { notes: 'x' }, { 'if-match': tags })
      assert.deepEqual([answer.status, answer.headers.get('etag')], [200, '"3"'])
    })
  }

  for (const tags of ['"1"', '"3"', 'W/"2"', '"x"', '"02"', '"1", "99999999999999999999"']) {
    it(`If-Match ${tags} prevents an edit of version 2, and nothing changes`, async () => {
      const path = await contractAtVersion2()
      const before = await call('GET', path)
      const answer = await call('PATCH', path, { notes: 'x' }, { 'if-match': tags })
      assertProblem(answer, 412, 'precondition_failed')
      assert.equal((await call('GET', path)).text, before.text)
    })
  }

  for (const tags of ['2', '"2', 'w/"2"', '"2" "3"', '*, "2"', '', ',', "'2'", '"2";x']) {
    it(`the malformed condition ${JSON.stringify(tags)} is refused`, async () => {
      const path = await contractAtVersion2()
      assertInvalid(await call('PATCH', path, {}, { 'if-match': tags }), ['header /If-Match malformed_header'])
      const get = await call('GET', path, undefined, { 'if-none-match': tags })
      assertInvalid(get, ['header /If-None-Match malformed_header'])
    })
  }

  it('a record that does not exist is 404 before any condition', async () => {
    assertProblem(await call('PATCH', '/contracts/999999', {}, { 'if-match': '"1"' }), 404, 'not_found')
    const unknown = '/businesses/11111111-1111-1111-1111-111111111111'
    assertProblem(await call('GET', unknown, undefined, { 'if-none-match': '*' }), 404, 'not_found')
  })
})
