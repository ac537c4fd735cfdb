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

  // How lists of tags are read: unit/gateway/entity-tags.test.ts.
  it('If-None-Match answers 304 if the version is among its tags, weak or strong', async () => {
    const path = await contractAtVersion2()
    for (const tags of ['W/"2"', '*', '"x",,"2" ']) {
      const answer = await call('GET', path, undefined, { 'if-none-match': tags })
      assert.deepEqual([answer.status, answer.text, answer.headers.get('etag')], [304, '', '"2"'])
      assert.equal((await call('HEAD', path, undefined, { 'if-none-match': tags })).status, 304)
    }
    for (const tags of ['"1"', '"22"', '"02"']) {
      const answer = await call('GET', path, undefined, { 'if-none-match': tags })
      assert.deepEqual([answer.status, answer.body.notes], [200, 'second'])
    }
  })

  it('If-Match allows an edit only of a version among its strong tags', async () => {
    for (const tags of ['*', '"1", "2"', 'W/"2", "2"']) {
      const answer = await call('PATCH', await contractAtVersion2(), { notes: 'x' }, { 'if-match': tags })
      assert.deepEqual([answer.status, answer.headers.get('etag')], [200, '"3"'])
    }
    const path = await contractAtVersion2()
    for (const tags of ['"1"', 'W/"2"', '"x"', '"02"', '"1", "99999999999999999999"']) {
      assertProblem(await call('PATCH', path, { notes: 'x' }, { 'if-match': tags }), 412, 'precondition_failed')
    }
    assert.equal((await call('GET', path)).body.notes, 'second')
  })

  it('a malformed condition is refused', async () => {
    const path = await contractAtVersion2()
    for (const tags of ['2', '*, "2"', '', "'2'"]) {
      assertInvalid(await call('PATCH', path, {}, { 'if-match': tags }), ['header /If-Match malformed_header'])
      const get = await call('GET', path, undefined, { 'if-none-match': tags })
      assertInvalid(get, ['header /If-None-Match malformed_header'])
    }
  })

  it('a record that does not exist is 404 before any condition', async () => {
    assertProblem(await call('PATCH', '/contracts/999999', {}, { 'if-match': '"1"' }), 404, 'not_found')
    const unknown = '/businesses/11111111-1111-1111-1111-111111111111'
    assertProblem(await call('GET', unknown, undefined, { 'if-none-match': '*' }), 404, 'not_found')
  })
})
