import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

overEachTransport('Lists over REST', (call) => {
  const names = (body: { contracts: { serviceName: string }[] }) => body.contracts.map(({ serviceName }) => serviceName)

  it('are paged newest first, and total counts every match', async () => {
    const clientId = '22222222-2222-2222-2222-222222222222'
    for (let index = 1; index <= 5; index++) {
      await call('POST', '/contracts', aNewContract({ clientId, serviceName: `Number ${index}` }))
    }
    const list = async (query: string) => (await call('GET', `/contracts?clientId=${clientId}${query}`)).body
    const all = await list('')
    assert.deepEqual([names(all), all.total], [['Number 5', 'Number 4', 'Number 3', 'Number 2', 'Number 1'], 5])
    const page = await list('&limit=2&offset=1')
    assert.deepEqual([names(page), page.total], [['Number 4', 'Number 3'], 5])
    assert.deepEqual(await list('&offset=1000000000'), { contracts: [], total: 5 })
    assert.equal((await call('GET', `/contracts/${all.contracts[0].id}`)).text, JSON.stringify(all.contracts[0]))
  })

  it('show 50 records unless a limit is given, and edits immediately', async () => {
    const clientId = '33333333-3333-3333-3333-333333333333'
    const created = await Promise.all(
      Array.from({ length: 51 }, () => call('POST', '/contracts', aNewContract({ clientId }))),
    )
    const list = async (query: string) => (await call('GET', `/contracts?clientId=${clientId}${query}`)).body
    assert.equal((await list('')).contracts.length, 50)
    assert.equal((await list('&limit=100')).contracts.length, 51)
    await call('PATCH', `/contracts/${created[7]?.body.id}`, { serviceType: 'Ungewöhnlich' })
    assert.equal((await list('&search=UNGEWÖHN')).total, 1)
  })

  it('businesses are found by legal name, operating name and number only', async () => {
    const given = { legalName: 'Zebra AG', operatedAs: 'Quagga', businessNumber: 'NR-4711', phone: '555-0199' }
    const { body } = await call('POST', '/businesses', given)
    for (const search of ['zebra', 'QUAGGA', 'nr-47']) {
      const found = await call('GET', `/businesses?search=${search}`)
      assert.deepEqual(found.body, { businesses: [body], total: 1 })
    }
    assert.deepEqual((await call('GET', '/businesses?search=555-0199')).body, { businesses: [], total: 0 })
  })

  it('a search without words is no filter, and + in a query is a space', async () => {
    const all = await call('GET', '/contracts')
    for (const nothing of ['', '+', '%20%C2%85%E3%80%80']) {
      assert.equal((await call('GET', `/contracts?search=${nothing}`)).text, all.text)
    }
    await call('POST', '/contracts', aNewContract({ serviceName: 'plus and space' }))
    assert.equal((await call('GET', '/contracts?search=plus+and%20space')).body.total, 1)
  })

  for (const [query, violations] of [
    ['limit=101', ['query /limit out_of_range']],
    ['limit=0', ['query /limit out_of_range']],
    ['offset=1000000001', ['query /offset out_of_range']],
    ['clientId=7', ['query /clientId invalid_uuid']],
    [`search=${'x'.repeat(201)}`, ['query /search too_long']],
    ['search=%00', ['query /search invalid_characters']],
    ['limit=1&limit=2', ['query /limit given_twice']],
    ['limit%5B%5D=1', ['query /limit[] unknown_field']],
    ['search[x]=1', ['query /search[x] unknown_field']],
    ['Limit=1', ['query /Limit unknown_field']],
    ['__proto__=1&constructor=2', ['query /__proto__ unknown_field', 'query /constructor unknown_field']],
    ['=1', ['query / unknown_field']],
    [
      'limit=x&offset=y&clientId=z&a/b=1',
      [
        'query /clientId invalid_uuid',
        'query /limit invalid_number',
        'query /offset invalid_number',
        'query /a~1b unknown_field',
      ],
    ],
  ] as const) {
    it(`?${query.slice(0, 50)} is refused with every violation`, async () => {
      assertInvalid(await call('GET', `/contracts?${query}`), violations)
    })
  }
})
