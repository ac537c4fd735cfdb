import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

// That each filter selects, and its bounds are inclusive: records.test.ts. Every combination: adapters/ports.
overEachTransport('Other list filters', (call) => {
  // biome-ignore lint/suspicious/noExplicitAny: any record
  const post = async (path: string, body: object): Promise<any> => (await call('POST', path, body)).body
  /** The newest first. */
  const contractsOf = async (clientId: string, ...changes: object[]): Promise<readonly number[]> => {
    const ids: number[] = []
    for (const change of changes) ids.unshift((await post('/contracts', aNewContract({ clientId, ...change }))).id)
    return ids
  }
  const contracts = async (query: string) => {
    const { body, text } = await call('GET', `/contracts?${query}`)
    assert.ok(body.contracts, text)
    return { ids: body.contracts.map(({ id }: { id: number }) => id), total: body.total }
  }

  it('combine with AND, and with paging, while total counts every match', async () => {
    const clientId = '83333333-3333-3333-3333-333333333333'
    const days = ['01', '02', '03', '04'].map((day) => ({ serviceDate: `2026-05-${day}`, serviceName: `May ${day}` }))
    const [fourth, third, second] = await contractsOf(clientId, ...days)
    const list = (query: string) => contracts(`clientId=${clientId}&serviceDateFrom=2026-05-02&${query}`)
    assert.deepEqual(await list('serviceDateTo=2026-05-03'), { ids: [third, second], total: 2 })
    assert.deepEqual(await list('search=may%200&limit=1'), { ids: [fourth], total: 3 })
    assert.deepEqual(await list(`search=may%200&after=${third}`), { ids: [second], total: 3 })
    const { updatedAt } = (await call('GET', `/contracts/${fourth}`)).body
    assert.equal((await list(`updatedSince=${updatedAt.replace('Z', '0001Z')}`)).total, 0)
  })

  it('serviceType must match in full, ignoring case and accents', async () => {
    const clientId = '84444444-4444-4444-4444-444444444444'
    const spellings = ['payroll', 'Päyröll', ' PAYROLL ', 'payroll'].map((serviceType) => ({ serviceType }))
    const ids = await contractsOf(clientId, ...spellings)
    const list = (query: string) => contracts(`clientId=${clientId}&serviceType=${query}`)
    for (const same of ['payroll', '%C2%A0payroll%20', 'P%C3%A0YROLL']) {
      assert.deepEqual(await list(same), { ids, total: 4 }, same)
    }
    for (const other of ['roll', 'pay%20roll']) assert.equal((await list(other)).total, 0, other)
    // A report has one row per spelling.
    const report = async (query: string) => (await call('GET', `/reports/contracts?clientId=${clientId}&${query}`)).body
    assert.equal((await report('groupBy=serviceType')).total, 3)
    assert.equal((await report('serviceType=payroll')).sums.count, 2)
  })

  it('clientName finds the contracts of clients whose current name contains its words', async () => {
    const ecole = await post('/businesses', { legalName: 'École Zürich' })
    const other = await post('/businesses', { legalName: 'Zürich Books', operatedAs: '5 % Off' })
    const unknown = '85555555-5555-5555-5555-555555555555'
    const [first] = await contractsOf(ecole.clientId, {})
    const [ofOther] = await contractsOf(other.clientId, {})
    const [last] = await contractsOf(ecole.clientId, { serviceType: 'named' })
    await contractsOf(unknown, {})
    const find = (name: string, query = '') => contracts(`clientName=${encodeURIComponent(name)}${query}`)
    // Clients arrive through the topic, shortly after their businesses.
    await waitFor(async () => (await find('ZÜRICH')).total === 2 && (await find('5 % off')).total === 1)
    assert.deepEqual(await find('zur E\u0301cole'), { ids: [last, first], total: 2 })
    assert.deepEqual(await find('5 % OFF'), { ids: [ofOther], total: 1 })
    assert.deepEqual(await find('Zürich Books'), { ids: [], total: 0 })
    assert.deepEqual(await find('école', `&after=${last}`), { ids: [first], total: 2 })
    assert.deepEqual(await find('école', '&search=NAMED'), { ids: [last], total: 1 })
    for (const nothing of ['', ' \u00a0']) assert.equal((await find(nothing, `&clientId=${unknown}`)).total, 1)
    const { text } = await call('GET', '/contracts.csv?clientName=%C3%89cole%20z&serviceType=named')
    assert.match(text, new RegExp(`^.*\r\n${last},${ecole.clientId},.*\r\n$`))
    await call('PATCH', `/businesses/${ecole.id}`, { operatedAs: 'Schule' })
    await waitFor(async () => (await find('schule')).total === 2)
    assert.deepEqual(await find('école zürich'), { ids: [], total: 0 })
  })

  it('email and taxId must match in full, ignoring case and accents; an empty one finds businesses without', async () => {
    const one = await post('/businesses', { legalName: 'Mail One', email: 'Office@Example.COM', taxId: 'ab-É1' })
    const two = await post('/businesses', { legalName: 'Mail Two', email: 'office@example.com', taxId: 'AB-É12' })
    const none = await post('/businesses', { legalName: 'Mail None' })
    const find = async (query: string) => (await call('GET', `/businesses?search=mail&${query}`)).body.businesses
    assert.deepEqual(await find('email=%20OFFICE@example.com%C2%A0'), [two, one])
    assert.deepEqual(await find('email=office@example.co'), [])
    for (const same of ['AB-e\u03011', ' AB–e1 ']) {
      assert.deepEqual(await find(`taxId=${encodeURIComponent(same)}`), [one])
    }
    assert.deepEqual(await find('taxId=ab-%C3%A912&email=office@EXAMPLE.com'), [two])
    assert.deepEqual(await find('taxId=ab-%C3%A9'), [])
    for (const empty of ['email=', 'taxId=', 'taxId=%20']) assert.deepEqual(await find(empty), [none])
    assert.match((await call('GET', '/businesses.csv?taxId=AB-%C3%891')).text, /^.*\r\n.*Office@Example\.COM.*\r\n$/)
    await call('PATCH', `/businesses/${one.id}`, { email: '', taxId: null })
    assert.equal((await find('email=&taxId=')).length, 2)
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
        assertInvalid(await call('GET', `${path}?${query}`), violations)
      }
    })
  }

  for (const [query, violations] of [
    ['serviceType=', ['query /serviceType blank']],
    [`serviceType=${'x'.repeat(101)}`, ['query /serviceType too_long']],
    [`clientName=${'x'.repeat(301)}`, ['query /clientName too_long']],
    ['clientName=%00', ['query /clientName invalid_characters']],
    ['clientName=a&clientName=b', ['query /clientName given_twice']],
    ['email=a@b.co&taxId=1', ['query /email unknown_field', 'query /taxId unknown_field']],
    ['after=7&offset=7', ['query /after not_together']],
    ['after=7&offset=0&limit=0', ['query /limit out_of_range', 'query /after not_together']],
    ['after=999999', ['query /after unknown_cursor']],
    ['after=0', ['query /after invalid_id']],
    ['updatedSince=2026-01-31', ['query /updatedSince invalid_timestamp']],
    ['serviceDateFrom=2026-02-30', ['query /serviceDateFrom invalid_date']],
    ['serviceDateTo=2026-01-31T00:00:00.000Z', ['query /serviceDateTo invalid_date']],
    ['withoutTotal=true', ['query /withoutTotal unknown_field']],
  ] as const) {
    it(`/contracts?${query} is refused`, async () => {
      assertInvalid(await call('GET', `/contracts?${query}`), violations)
    })
  }

  it('an error explains how to encode a + in an e-mail address', async () => {
    const { body } = await call('GET', '/businesses?email=a.b+c@example.com')
    assert.match(body.errors[0].message, /write \+ as %2B/)
    assert.equal((await call('GET', '/businesses?email=a.b%2Bc@example.com')).status, 200)
  })

  it('businesses have no service date, and their cursor is a UUID', async () => {
    assertInvalid(await call('GET', '/businesses?serviceDateFrom=2026-01-31&after=7'), [
      'query /after invalid_uuid',
      'query /serviceDateFrom unknown_field',
    ])
    assertInvalid(await call('GET', '/businesses?after=11111111-1111-1111-1111-111111111111'), [
      'query /after unknown_cursor',
    ])
  })
})
