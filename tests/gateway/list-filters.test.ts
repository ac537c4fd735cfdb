import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

interface Listed {
  readonly id: number | string
  readonly updatedAt: string
}

overEachTransport('Other list filters', (_call, mint) => {
  const post = async (path: string, body: object): Promise<Listed> => (await mint().call('POST', path, body)).body
  const contracts = async (query: string) => {
    const { body, text } = await mint().call('GET', `/contracts?${query}`)
    assert.ok(body.contracts, text)
    return { ids: body.contracts.map(({ id }: Listed) => id), total: body.total }
  }

  it('after returns the records after a given one, while total still counts every match', async () => {
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

  it('updatedSince selects records changed at that moment or later', async () => {
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

  it('serviceDateFrom and serviceDateTo are inclusive, and all filters combine with AND', async () => {
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

  it('serviceType must match in full, ignoring case and accents, and combines with all other parameters', async () => {
    const clientId = '84444444-4444-4444-4444-444444444444'
    const ids: unknown[] = []
    for (const serviceType of ['payroll', 'Päyröll', ' PAYROLL ', 'payroll']) {
      ids.push((await post('/contracts', aNewContract({ clientId, serviceType, serviceName: `Of ${serviceType}` }))).id)
    }
    const [first, second, third, last] = ids
    const all = { ids: [last, third, second, first], total: 4 }
    const list = (query: string) => contracts(`clientId=${clientId}&${query}`)
    for (const same of ['payroll', 'Payroll', '%C2%A0payroll%20', 'P%C3%A0YROLL']) {
      assert.deepEqual(await list(`serviceType=${same}`), all, same)
    }
    for (const other of ['roll', 'pay%20roll']) {
      assert.deepEqual(await list(`serviceType=${other}`), { ids: [], total: 0 }, other)
    }
    assert.deepEqual(await list('serviceType=payroll&limit=1'), { ids: [last], total: 4 })
    assert.deepEqual(await list('serviceType=payroll&limit=1&offset=1'), { ids: [third], total: 4 })
    assert.deepEqual(await list(`serviceType=payroll&after=${second}`), { ids: [first], total: 4 })
    // A report has one row per spelling.
    const report = async (query: string) =>
      (await mint().call('GET', `/reports/contracts?clientId=${clientId}&${query}`)).body
    const { rows } = await report('groupBy=serviceType')
    assert.deepEqual(rows.map((row: { serviceType: string; count: number }) => [row.serviceType, row.count]).sort(), [
      [' PAYROLL ', 1],
      ['Päyröll', 1],
      ['payroll', 2],
    ])
    assert.equal((await report('serviceType=payroll')).sums.count, 2)
    assert.deepEqual(await list('serviceType=payroll&search=of%20p&serviceDateFrom=2999-01-01'), { ids: [], total: 0 })
    await mint().call('PATCH', `/contracts/${first}`, { serviceType: 'audit' })
    assert.deepEqual(await list('serviceType=payroll'), { ids: [last, third, second], total: 3 })
  })

  it('clientName finds the contracts of clients whose current name contains its words', async () => {
    const { body: ecole } = await mint().call('POST', '/businesses', { legalName: 'École Zürich' })
    const { body: other } = await mint().call('POST', '/businesses', {
      legalName: 'Zürich Books',
      operatedAs: '5 % Off',
    })
    const unknown = '85555555-5555-5555-5555-555555555555'
    const ids: unknown[] = []
    for (const clientId of [ecole.clientId, other.clientId, ecole.clientId, unknown]) {
      ids.push((await post('/contracts', aNewContract({ clientId, serviceType: `named ${ids.length}` }))).id)
    }
    const [first, ofOther, last] = ids
    const find = (name: string, query = '') => contracts(`clientName=${encodeURIComponent(name)}${query}`)
    // Clients arrive through the topic, shortly after their businesses.
    await waitFor(async () => (await find('ZÜRICH')).total === 2 && (await find('5 % off')).total === 1)
    assert.deepEqual(await find('ÉCOLE ZU\u0308'), { ids: [last, first], total: 2 })
    assert.deepEqual(await find('5 % OFF'), { ids: [ofOther], total: 1 })
    assert.deepEqual(await find('Zürich Books'), { ids: [], total: 0 })
    assert.deepEqual(await find('zur Ecole'), { ids: [last, first], total: 2 })
    assert.deepEqual(await find('école', '&limit=1'), { ids: [last], total: 2 })
    assert.deepEqual(await find('école', '&limit=1&offset=1'), { ids: [first], total: 2 })
    assert.deepEqual(await find('école', `&after=${last}`), { ids: [first], total: 2 })
    assert.deepEqual(await find('école', '&serviceType=named%200'), { ids: [first], total: 1 })
    assert.deepEqual(await find('école', '&search=NAMED%202'), { ids: [last], total: 1 })
    assert.deepEqual(await find('école', `&clientId=${other.clientId}`), { ids: [], total: 0 })
    for (const nothing of ['', ' \u00a0']) assert.equal((await find(nothing, `&clientId=${unknown}`)).total, 1)
    const { text } = await mint().call('GET', '/contracts.csv?clientName=%C3%89cole%20z&serviceType=named%202')
    assert.equal(text.trim().split('\r\n').length, 2)
    assert.ok(text.includes(`\r\n${last},${ecole.clientId},`), text)
    await mint().call('PATCH', `/businesses/${ecole.id}`, { operatedAs: 'Schule' })
    await waitFor(async () => (await find('schule')).total === 2)
    assert.deepEqual(await find('école zürich'), { ids: [], total: 0 })
  })

  it('businesses are found by email and taxId, which must match in full, ignoring case and accents', async () => {
    const one = await post('/businesses', { legalName: 'Mail One', email: 'Office@Example.COM', taxId: 'ab-É1' })
    const two = await post('/businesses', { legalName: 'Mail Two', email: 'office@example.com', taxId: 'AB-É12' })
    const none = await post('/businesses', { legalName: 'Mail None' })
    const businesses = async (query: string) => (await mint().call('GET', `/businesses?${query}`)).body
    const [newer, older] = [two, one]
    assert.deepEqual(await businesses('email=OFFICE@example.com'), { businesses: [newer, older], total: 2 })
    assert.deepEqual(await businesses('email=office@example.com&limit=1'), { businesses: [newer], total: 2 })
    assert.deepEqual(await businesses(`email=office@example.com&after=${two.id}`), { businesses: [older], total: 2 })
    assert.deepEqual(await businesses('email=%20office@example.com%C2%A0'), { businesses: [newer, older], total: 2 })
    assert.deepEqual(await businesses('email=office@example.co'), { businesses: [], total: 0 })
    assert.deepEqual(await businesses(`taxId=${encodeURIComponent('AB-e\u03011')}`), { businesses: [one], total: 1 })
    assert.deepEqual(await businesses('taxId=ab-%C3%A912&email=office@EXAMPLE.com'), { businesses: [two], total: 1 })
    assert.deepEqual(await businesses('taxId=%20AB%E2%80%93e1%20'), { businesses: [one], total: 1 })
    assert.deepEqual(await businesses('taxId=ab-%C3%A9'), { businesses: [], total: 0 })
    assert.deepEqual(await businesses('email=&search=mail'), { businesses: [none], total: 1 })
    for (const empty of ['', '%20']) {
      assert.deepEqual(await businesses(`taxId=${empty}&search=mail`), { businesses: [none], total: 1 })
    }
    const { text } = await mint().call('GET', '/businesses.csv?taxId=AB-%C3%891')
    assert.equal(text.trim().split('\r\n').length, 2)
    assert.ok(text.includes('Office@Example.COM'), text)
    await mint().call('PATCH', `/businesses/${one.id}`, { email: '', taxId: null })
    assert.deepEqual(await businesses('email=office@example.com'), { businesses: [two], total: 1 })
    assert.equal((await businesses('email=&taxId=&search=mail')).total, 2)
  })

  for (const [query, violations] of [
    ['email=nobody', ['query /email invalid_email']],
    [`email=${'a'.repeat(250)}@b.co`, ['query /email too_long', 'query /email invalid_email']],
    [`taxId=${'1'.repeat(51)}`, ['query /taxId too_long']],
    ['taxId=a%00', ['query /taxId invalid_characters']],
    ['taxId=1&taxId=2', ['query /taxId given_twice']],
    ['clientName=x&serviceType=x', ['query /clientName unknown_field', 'query /serviceType unknown_field']],
  ] as const) {
    it(`/businesses?${query.slice(0, 40)} is refused, and so is its CSV file`, async () => {
      for (const path of ['/businesses', '/businesses.csv']) {
        assertInvalid(await mint().call('GET', `${path}?${query}`), violations)
      }
    })
  }

  for (const [query, violations] of [
    ['serviceType=', ['query /serviceType blank']],
    ['serviceType=%20', ['query /serviceType blank']],
    [`serviceType=${'x'.repeat(101)}`, ['query /serviceType too_long']],
    [`clientName=${'x'.repeat(301)}`, ['query /clientName too_long']],
    ['clientName=%00', ['query /clientName invalid_characters']],
    ['clientName=a&clientName=b', ['query /clientName given_twice']],
    ['email=a@b.co&taxId=1', ['query /email unknown_field', 'query /taxId unknown_field']],
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

  it('an error explains how to encode a + in an e-mail address', async () => {
    const { body } = await mint().call('GET', '/businesses?email=a.b+c@example.com')
    assert.match(body.errors[0].message, /write \+ as %2B/)
    assert.equal((await mint().call('GET', '/businesses?email=a.b%2Bc@example.com')).status, 200)
  })

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
