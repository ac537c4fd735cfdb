import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract, type RestAnswer } from '../support/rest.ts'

overEachTransport('Idempotency-Key', (call) => {
  const keyed = (key: string, more: object = {}) => ({ 'idempotency-key': key, ...more })
  const count = async (clientId: string) => (await call('GET', `/contracts?clientId=${clientId}`)).body.total

  function assertReplay(answer: RestAnswer, first: RestAnswer): void {
    assert.deepEqual([answer.status, answer.text], [first.status, first.text])
    for (const name of ['etag', 'location']) assert.equal(answer.headers.get(name), first.headers.get(name))
    assert.equal(answer.headers.get('idempotency-replayed'), 'true')
  }

  it('repeating a creation returns the first answer and creates no second record', async () => {
    const clientId = 'aaaaaaaa-0000-0000-0000-000000000001'
    const first = await call('POST', '/contracts', aNewContract({ clientId }), keyed('create-1'))
    assert.deepEqual([first.status, first.headers.get('idempotency-replayed')], [201, null])
    await call('PATCH', `/contracts/${first.body.id}`, { notes: 'changed since' })
    assertReplay(await call('POST', '/contracts', aNewContract({ clientId }), keyed('create-1')), first)
    assert.equal(await count(clientId), 1)
  })

  it('the order of fields, the notation of numbers and other headers make no difference', async () => {
    const body =
      '{"clientId":"11111111-1111-1111-1111-111111111111","serviceName":"é","serviceType":"t","serviceFee":100}'
    const same =
      ' {"serviceFee": 1e2, "serviceType":"t","serviceName":"\\u00e9","clientId":"11111111-1111-1111-1111-111111111111"}'
    const first = await call('POST', '/contracts', body, keyed('order'))
    const second = await call('POST', '/contracts', same, keyed('order', { 'x-request-id': 'another' }))
    assertReplay(second, first)
  })

  it('a path counts as the same however its characters are encoded', async () => {
    const { body } = await call('POST', '/contracts', aNewContract())
    const [plain, encoded] = [`/contracts/${body.id}`, `/contracts/${String(body.id).replace(/./, '%3$&')}`]
    const edit = (path: string) => call('PATCH', path, { notes: 'once' }, keyed(`written-${body.id}`))
    const first = await edit(plain)
    assertReplay(await edit(encoded), first)
  })

  it('repeating an edit returns the first answer, even after later edits and when If-Match no longer matches', async () => {
    const { body } = await call('POST', '/contracts', aNewContract())
    const path = `/contracts/${body.id}`
    const edit = () => call('PATCH', path, { notes: 'once' }, keyed(`edit-${body.id}`, { 'if-match': '"1"' }))
    const first = await edit()
    assert.equal(first.headers.get('etag'), '"2"')
    await call('PATCH', path, { notes: 'later' })
    assertReplay(await edit(), first)
    assert.equal((await call('GET', path)).body.notes, 'later')
  })

  it('the same key with another body, path or method is 409', async () => {
    const { body } = await call('POST', '/contracts', aNewContract(), keyed('taken'))
    const path = `/contracts/${body.id}`
    const others = [
      call('POST', '/contracts', aNewContract({ serviceFee: 151 }), keyed('taken')),
      call('PATCH', path, aNewContract(), keyed('taken')),
      call('PATCH', path, {}, keyed('taken', { 'if-match': '"9"' })),
    ]
    for (const answer of await Promise.all(others)) assertProblem(answer, 409, 'idempotency_key_reused')
    assertProblem(await call('PATCH', '/contracts/999999', {}, keyed('taken')), 404, 'not_found')
  })

  it('repeating a creation without a key creates another record', async () => {
    const [one, two] = [1, 2].map(() => call('POST', '/contracts', aNewContract()))
    assert.notEqual((await one)?.body.id, (await two)?.body.id)
  })

  for (const key of ['', 'a b', 'é', 'x'.repeat(256), 'a, a']) {
    it(`a malformed key is refused: ${JSON.stringify(key).slice(0, 20)}`, async () => {
      const answer = await call('POST', '/contracts', aNewContract(), keyed(key))
      assertInvalid(answer, ['header /Idempotency-Key malformed_header'])
    })
  }

  it('a key may have 255 characters', async () => {
    assert.equal((await call('POST', '/contracts', aNewContract(), keyed('~'.repeat(255)))).status, 201)
  })
})
