import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { TEST_KEY_ID } from '../support/grpc-access.ts'
import { assertInvalid } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

overEachTransport('Reports', (_call, mint) => {
  let types = 0
  /** A distinct service type for each test, to isolate them. */
  const newType = () => `type-${++types}`
  const get = async (path: string) => {
    const answer = await mint().call('GET', path)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const post = async (changes: object) => {
    const { status, text, body } = await mint().call('POST', '/contracts', aNewContract(changes))
    assert.equal(status, 201, text)
    return body
  }
  const edit = async (id: number, changes: object) => (await mint().call('PATCH', `/contracts/${id}`, changes)).body
  const CLIENTS = ['a', 'b'].map((digit) => `${digit.repeat(8)}-1111-1111-1111-111111111111`) as [string, string]

  it('group by up to two fields, sorted by month ascending, then by total descending', async () => {
    const [serviceType, [one, other]] = [newType(), CLIENTS]
    const of = (clientId: string, serviceDate: string, serviceFee: number) =>
      post({ serviceType, clientId, serviceDate, serviceFee, taxPercent: 0 })
    await of(one, '2026-02-28', 1)
    await of(one, '2026-02-01', 2)
    await of(other, '2026-02-01', 5)
    await of(other, '2025-12-31', 1)
    await of(one, '2025-12-31', 1)
    const sums = (count: number, fee: string) => ({
      count,
      serviceFee: fee,
      tax: '0',
      totalFeeWithTax: fee,
      billed: fee,
    })
    const byBoth = await get(`/reports/contracts?serviceType=${serviceType}&groupBy=clientId,month`)
    assert.deepEqual(byBoth.rows, [
      { month: '2025-12', clientId: one, displayName: null, ...sums(1, '1') },
      { month: '2025-12', clientId: other, displayName: null, ...sums(1, '1') },
      { month: '2026-02', clientId: other, displayName: null, ...sums(1, '5') },
      { month: '2026-02', clientId: one, displayName: null, ...sums(2, '3') },
    ])
    assert.deepEqual([byBoth.total, byBoth.sums], [4, sums(5, '10')])
    const page = await get(`/reports/contracts?serviceType=${serviceType}&groupBy=clientId,month&limit=2&offset=1`)
    assert.deepEqual([page.rows, page.total, page.sums], [byBoth.rows.slice(1, 3), 4, sums(5, '10')])
    const within = `serviceDateFrom=2026-02-01&serviceDateTo=2026-02-27&clientId=${one.toUpperCase()}`
    const byType = await get(`/reports/contracts?serviceType=${serviceType}&groupBy=serviceType&${within}`)
    assert.deepEqual(byType.rows, [{ serviceType, ...sums(1, '2') }])
  })

  it('return as of a past moment what they returned then, including names', async () => {
    const serviceType = newType()
    const business = (await mint().call('POST', '/businesses', { legalName: 'First' })).body
    const contract = await post({ serviceType, clientId: business.clientId, serviceFee: 10, taxPercent: 0 })
    const query = `/reports/contracts?serviceType=${serviceType}&groupBy=clientId`
    const named = (name: string) => async () => (await get(query)).rows[0].displayName === name
    await waitFor(named('First'), { what: 'the first name' })
    const then = await get(query)
    await edit(contract.id, { serviceFee: 30 })
    await mint().call('PATCH', `/businesses/${business.id}`, { operatedAs: 'Second' })
    await waitFor(named('Second'), { what: 'the second name' })
    assert.equal((await get(query)).sums.serviceFee, '30')
    assert.deepEqual(await get(`${query}&asOf=${then.asOf}`), then)
    const before = await get(`${query}&asOf=2000-01-01T00:00:00Z`)
    assert.deepEqual([before.rows, before.sums.count], [[], 0])
  })

  it('list changes between two moments with the differences', async () => {
    const serviceType = newType()
    const query = `serviceType=${serviceType}`
    const edited = await post({ serviceType, serviceFee: 20, taxPercent: 5, serviceDate: '2026-01-31' })
    const back = await post({ serviceType, serviceFee: 1 })
    const { asOf: since, sums: before } = await get(`/reports/contracts?${query}`)
    await edit(back.id, { serviceFee: 2 })
    await edit(back.id, { serviceFee: 1 })
    const { updatedAt } = await edit(edited.id, { serviceFee: 25 })
    await edit(edited.id, { notes: 'nothing that counts' })
    const added = await post({ serviceType, serviceFee: 7, taxPercent: 0 })
    const changes = await get(`/reports/contracts/changes?${query}&since=${since}`)
    const part = { clientId: edited.clientId, serviceType, serviceDate: '2026-01-31', taxPercent: '5' }
    assert.deepEqual(
      changes.changes.map(({ contractId, before: was, after: is }: never) => [contractId, was, is]),
      [
        [
          added.id,
          null,
          {
            clientId: added.clientId,
            serviceType,
            serviceDate: added.serviceDate.slice(0, 10),
            serviceFee: '7',
            taxPercent: '0',
            totalFeeWithTax: '7',
          },
        ],
        [
          edited.id,
          { ...part, serviceFee: '20', totalFeeWithTax: '21' },
          { ...part, serviceFee: '25', totalFeeWithTax: '26.25' },
        ],
      ],
    )
    assert.deepEqual([changes.changes[1].at, changes.changes[1].by], [updatedAt, TEST_KEY_ID])
    assert.deepEqual([changes.since, changes.total], [since, 2])
    assert.deepEqual(changes.difference, { count: 1, serviceFee: '12', tax: '0.25', totalFeeWithTax: '12.25' })
    const after = (await get(`/reports/contracts?${query}&asOf=${changes.until}`)).sums
    assert.deepEqual([before.count, before.totalFeeWithTax], [2, '22.13'])
    assert.deepEqual([after.count, after.totalFeeWithTax], [3, '34.38'])
    const page = await get(`/reports/contracts/changes?${query}&since=${since}&limit=1&offset=1`)
    assert.deepEqual([page.changes, page.total], [changes.changes.slice(1), 2])
  })

  it('are also served as CSV, with all rows and a column for each field of a row', async () => {
    const serviceType = newType()
    await post({ serviceType, serviceDate: '2026-02-01', serviceFee: 5, taxPercent: 10 })
    await post({ serviceType, serviceDate: '2026-01-01', serviceFee: 19.99, taxPercent: 8.25 })
    const answer = await mint().call('GET', `/reports/contracts.csv?serviceType=${serviceType}&groupBy=month`)
    const lines = [
      'month,count,serviceFee,tax,totalFeeWithTax,billed',
      '2026-01,1,19.99,1.649175,21.639175,21.64',
      '2026-02,1,5,0.5,5.5,5.5',
    ]
    assert.equal(answer.text, lines.map((line) => `${line}\r\n`).join(''))
  })

  it('have a single row as CSV without groups: the sums, even of no contracts', async () => {
    const serviceType = newType()
    const path = `/reports/contracts.csv?serviceType=${serviceType}`
    const header = 'count,serviceFee,tax,totalFeeWithTax,billed\r\n'
    assert.equal((await mint().call('GET', path)).text, `${header}0,0,0,0,0\r\n`)
    await post({ serviceType, serviceFee: 5, taxPercent: 10 })
    await post({ serviceType, serviceFee: 19.99, taxPercent: 8.25 })
    assert.equal((await mint().call('GET', path)).text, `${header}2,24.99,2.149175,27.139175,27.14\r\n`)
  })

  it('list the contracts behind a sum, by date, as of the same moment', async () => {
    const serviceType = newType()
    const [clientId] = CLIENTS
    const common = { serviceType, clientId, serviceName: 'Return', taxPercent: 8.25 }
    const late = await post({ ...common, serviceDate: '2026-02-01', serviceFee: 5, taxPercent: 0 })
    const early = await post({ ...common, serviceDate: '2026-01-31', serviceFee: 19.99 })
    const query = `serviceType=${serviceType}&clientId=${clientId.toUpperCase()}`
    const { asOf, sums } = await get(`/reports/contracts?${query}`)
    await edit(early.id, { serviceName: 'Renamed', serviceFee: 25 })
    const line = { version: 1, clientId, displayName: null, serviceName: 'Return', serviceType }
    const lines = [
      {
        ...{ contractId: early.id, ...line, serviceDate: '2026-01-31', serviceFee: '19.99', taxPercent: '8.25' },
        ...{ tax: '1.649175', totalFeeWithTax: '21.639175', billed: '21.64' },
      },
      {
        ...{ contractId: late.id, ...line, serviceDate: '2026-02-01', serviceFee: '5', taxPercent: '0' },
        ...{ tax: '0', totalFeeWithTax: '5', billed: '5' },
      },
    ]
    const then = `/reports/contracts/lines?${query}&asOf=${asOf}`
    assert.deepEqual(await get(then), { asOf, lines, total: 2, sums })
    assert.deepEqual(await get(`${then}&limit=1&offset=1`), { asOf, lines: lines.slice(1), total: 2, sums })
    assert.deepEqual(await get(`${then}&offset=2`), { asOf, lines: [], total: 2, sums })
    const now = await get(`/reports/contracts/lines?${query}&serviceDateTo=2026-01-31`)
    const [renamed] = now.lines
    assert.deepEqual([now.total, renamed.version, renamed.serviceName, renamed.tax], [1, 2, 'Renamed', '2.0625'])
    assert.deepEqual(now.sums, (await get(`/reports/contracts?${query}&serviceDateTo=2026-01-31`)).sums)
  })

  it('list the contracts behind a sum as CSV, too', async () => {
    const serviceType = newType()
    const { id, clientId } = await post({
      serviceType,
      serviceDate: '2026-01-31',
      serviceFee: -19.99,
      taxPercent: 8.25,
    })
    const { text } = await mint().call('GET', `/reports/contracts/lines.csv?serviceType=${serviceType}`)
    const header =
      'contractId,version,serviceDate,clientId,displayName,serviceName,serviceType,serviceFee,taxPercent,tax,totalFeeWithTax,billed'
    const { serviceName } = aNewContract({})
    const row = [id, 1, '2026-01-31', clientId, '', serviceName, serviceType, '-19.99', '8.25', '-1.649175']
    assert.equal(text, `${header}\r\n${row.join()},-21.639175,-21.64\r\n`)
    const none = await mint().call('GET', `/reports/contracts/lines.csv?serviceType=${newType()}`)
    assert.equal(none.text, `${header}\r\n`)
  })

  it('have 100 rows or lines unless a limit of up to 1,000 is given, and all of them as CSV', async () => {
    const clientId = randomUUID()
    const rows = Array.from({ length: 101 }, (_, index) => `${clientId},Audit,${newType()},${index},2026-01-31\n`)
    const file = `clientId,serviceName,serviceType,serviceFee,serviceDate\n${rows.join('')}`
    const headers = { 'content-type': 'text/csv', 'idempotency-key': clientId }
    assert.equal((await mint().call('POST', '/contracts.csv', file, headers)).body.created, 101)
    const [report, lines] = ['/reports/contracts?groupBy=serviceType&', '/reports/contracts/lines?']
    for (const [limit, length] of [
      ['', 100],
      ['&limit=1', 1],
      ['&limit=1000', 101],
    ] as const) {
      const { rows, total } = await get(`${report}clientId=${clientId}${limit}`)
      assert.deepEqual([rows.length, total], [length, 101])
      const behind = await get(`${lines}clientId=${clientId}${limit}`)
      assert.deepEqual([behind.lines.length, behind.total], [length, 101])
    }
    for (const path of [report, lines]) {
      const { text } = await mint().call('GET', `${path.replace('?', '.csv?')}clientId=${clientId}`)
      assert.equal(text.trimEnd().split('\r\n').length, 1 + 101)
    }
  })

  it('refuse moments in the future, and unknown groups', async () => {
    const later = new Date(Date.now() + 60_000).toISOString()
    const invalid = async (path: string, pointer: string, code: string) =>
      assertInvalid(await mint().call('GET', path), [`query ${pointer} ${code}`])
    await invalid(`/reports/contracts?asOf=${later}`, '/asOf', 'out_of_range')
    await invalid(`/reports/contracts/changes?since=${later}`, '/since', 'out_of_range')
    const [since, until] = ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z']
    await invalid(`/reports/contracts/changes?since=${since}&until=${until}`, '/until', 'out_of_range')
    await invalid(`/reports/contracts/changes?since=${since}&until=${later}`, '/until', 'out_of_range')
    const both = `/reports/contracts/changes?since=${later}&until=${since}`
    assertInvalid(await mint().call('GET', both), ['query /since out_of_range', 'query /until out_of_range'])
    await invalid('/reports/contracts?asOf=0001-01-01T00:00:00%2B00:01', '/asOf', 'out_of_range')
    await invalid('/reports/contracts/changes?since=2026-01-01T00:00:00Z&limit=101', '/limit', 'out_of_range')
    await invalid('/reports/contracts/changes', '/since', 'required')
    await invalid('/reports/contracts?groupBy=year', '/groupBy', 'not_allowed')
    await invalid('/reports/contracts?groupBy=', '/groupBy', 'not_allowed')
    await invalid('/reports/contracts?groupBy=month,month', '/groupBy', 'given_twice')
    await invalid('/reports/contracts?groupBy=month,clientId,serviceType', '/groupBy', 'out_of_range')
    await invalid('/reports/contracts?limit=1001', '/limit', 'out_of_range')
    await invalid('/reports/contracts?limit=0', '/limit', 'out_of_range')
    await invalid(`/reports/contracts/lines?asOf=${later}`, '/asOf', 'out_of_range')
    await invalid('/reports/contracts/lines?limit=1001', '/limit', 'out_of_range')
    await invalid('/reports/contracts/lines?groupBy=month', '/groupBy', 'unknown_field')
  })
})
