import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

interface Listed {
  readonly id: number | string
  readonly updatedAt: string
}

overEachTransport('Further filters of lists', (mint) => {
  const post = async (path: string, body: object): Promise<Listed> => (await mint().call('POST', path, body)).body
  const contracts = async (query: string) => {
    const { body, text } = await mint().call('GET', `/contracts?${query}`)
    assert.ok(body.contracts, text)
    return { ids: body.contracts.map(({ id }: Listed) => id), total: body.total }
  }

  it('after continues behind a record, and total still counts every match', async () => {
    const clientId = '81111111-1111-1111-1111-111111111111'
    const made: unknown[] = []
    for (let count = 0; count < 5; count++) made.unshift((await post('/contracts', aNewContract({ clientId }))).id)
    assert.deepEqual(await contracts(`clientId=${clientId}&after=${made[1]}`), { ids: made.slice(2), total: 5 })
    assert.deepEqual(await contracts(`clientId=${clientId}&after=${made[0]}&limit=2`), {
      ids: made.slice(1, 3),
      total: 5,
    })
    assert.deepEqual(await contracts(`clientId=${clientId}&after=${made[4]}`), { ids: [], total: 5 })
    const other = await post('/contracts', aNewContract())
    assert.deepEqual(await contracts(`clientId=${clientId}&after=${other.id}`), { ids: made, total: 5 })
  })

  it('after accepts a business’s id in either case', async () => {
    const first = await post('/businesses', { legalName: 'Cursor One' })
    const second = await post('/businesses', { legalName: 'Cursor Two' })
    const { body } = await mint().call('GET', `/businesses?search=cursor&after=${String(second.id).toUpperCase()}`)
    assert.deepEqual(body, { businesses: [first], total: 2 })
  })

  it('updatedSince selects what was changed at that moment or later', async () => {
    const clientId = '82222222-2222-2222-2222-222222222222'
    const [one, two] = [
      await post('/contracts', aNewContract({ clientId })),
      await post('/contracts', aNewContract({ clientId })),
    ]
    while (Date.now() <= Date.parse(two.updatedAt)) await contracts('limit=1')
    const { body: edited } = await mint().call('PATCH', `/contracts/${one.id}`, { notes: 'edited' })
    const since = (moment: string) => contracts(`clientId=${clientId}&updatedSince=${encodeURIComponent(moment)}`)
    assert.deepEqual(await since(edited.updatedAt), { ids: [one.id], total: 1 })
    assert.deepEqual(await since(edited.updatedAt.replace('Z', '0001Z')), { ids: [], total: 0 })
    assert.deepEqual(await since(one.updatedAt.replace('Z', '+00:00')), { ids: [two.id, one.id], total: 2 })
    const business = await post('/businesses', { legalName: 'Since Ltd' })
    const { body } = await mint().call('GET', `/businesses?search=since&updatedSince=${business.updatedAt}`)
    assert.deepEqual(body, { businesses: [business], total: 1 })
  })

  it('serviceDateFrom and serviceDateTo include their days, and everything combines with AND', async () => {
    const clientId = '83333333-3333-3333-3333-333333333333'
    const ids: unknown[] = []
    for (const day of ['01', '02', '03', '04']) {
      ids.push(
        (await post('/contracts', aNewContract({ clientId, serviceDate: `2026-05-${day}`, serviceName: `May ${day}` })))
          .id,
      )
    }
    const [first, second, third, fourth] = ids
    const list = (query: string) => contracts(`clientId=${clientId}&${query}`)
    assert.deepEqual((await list('serviceDateFrom=2026-05-03')).ids, [fourth, third])
    assert.deepEqual((await list('serviceDateTo=2026-05-02')).ids, [second, first])
    assert.deepEqual(await list('serviceDateFrom=2026-05-02&serviceDateTo=2026-05-03'), {
      ids: [third, second],
      total: 2,
    })
    assert.deepEqual(await list('serviceDateFrom=2026-05-02&search=may%200&limit=1'), { ids: [fourth], total: 3 })
    assert.deepEqual(await list(`serviceDateFrom=2026-05-02&search=may%200&after=${third}`), {
      ids: [second],
      total: 3,
    })
    assert.deepEqual(await list('serviceDateFrom=2026-05-03&serviceDateTo=2026-05-02'), { ids: [], total: 0 })
    assert.deepEqual(await list('serviceDateFrom=2026-05-03&updatedSince=2999-01-01T00:00:00Z'), { ids: [], total: 0 })
  })

  for (const [query, violations] of [
    ['after=7&offset=7', ['query /after not_together']],
    ['after=7&offset=0', ['query /after not_together']],
    ['after=7&offset=0&limit=0', ['query /limit out_of_range', 'query /after not_together']],
    ['after=999999', ['query /after unknown_cursor']],
    ['after=0', ['query /after invalid_id']],
    ['after=', ['query /after invalid_id']],
    ['updatedSince=2026-01-31', ['query /updatedSince invalid_timestamp']],
    ['updatedSince=', ['query /updatedSince invalid_timestamp']],
    ['serviceDateFrom=2026-02-30', ['query /serviceDateFrom invalid_date']],
    ['serviceDateTo=2026-01-31T00:00:00.000Z', ['query /serviceDateTo invalid_date']],
    ['withoutTotal=true', ['query /withoutTotal unknown_field']],
  ] as const) {
    it(`/contracts?${query} is refused`, async () => {
      assertInvalid(await mint().call('GET', `/contracts?${query}`), violations)
    })
  }

  it('businesses have no service date, and their cursor is a UUID', async () => {
    assertInvalid(await mint().call('GET', '/businesses?serviceDateFrom=2026-01-31&after=7'), [
      'query /after invalid_uuid',
      'query /serviceDateFrom unknown_field',
    ])
    assertInvalid(await mint().call('GET', '/businesses?after=11111111-1111-1111-1111-111111111111'), [
      'query /after unknown_cursor',
    ])
  })
})
