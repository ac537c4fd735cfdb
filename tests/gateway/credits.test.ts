import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { aNewContract } from '../support/rest.ts'

overEachTransport('Credits', (_call, mint) => {
  let types = 0
  /** A distinct service type for each test, to isolate them. */
  const newType = () => `credits-${++types}`
  const post = async (changes: object) => {
    const { status, text, body } = await mint().call('POST', '/contracts', aNewContract(changes))
    assert.equal(status, 201, text)
    return body
  }
  const get = async (path: string) => (await mint().call('GET', path)).body
  const sums = (count: number, serviceFee: string, tax: string, totalFeeWithTax: string) => {
    return { count, serviceFee, tax, totalFeeWithTax }
  }
  /** For totals with at most two decimals. */
  const billed = (of: ReturnType<typeof sums>) => ({ ...of, billed: of.totalFeeWithTax })

  it('are contracts with a negative fee, whose total is the exact product', async () => {
    const credit = await post({ serviceFee: -19.99, taxPercent: 8.25 })
    assert.deepEqual([credit.serviceFee, credit.totalFeeWithTax], [-19.99, -21.639175])
    const edited = await mint().call('PATCH', `/contracts/${credit.id}`, { serviceFee: -0.1, taxPercent: 10 })
    assert.deepEqual([edited.body.serviceFee, edited.body.totalFeeWithTax], [-0.1, -0.11])
    const { events } = await get(`/contracts/${credit.id}/history`)
    assert.deepEqual([events[1].data.totalFeeWithTax, events[1].before.totalFeeWithTax], [-0.11, -21.639175])
    const none = await mint().call(
      'POST',
      '/contracts',
      JSON.stringify(aNewContract()).replace(/"serviceFee":\d+/, '"serviceFee":-0'),
    )
    assert.match(none.text, /"serviceFee":0,/)
  })

  it('reduce the sums of reports, and sort after positive amounts', async () => {
    const serviceType = newType()
    await post({ serviceType, serviceFee: 1_000_000_000_000, taxPercent: 0.0001, serviceDate: '2026-01-31' })
    await post({ serviceType, serviceFee: -1_000_000_000_000, taxPercent: 0.0001, serviceDate: '2026-02-01' })
    const credit = await post({ serviceType, serviceFee: -0.1, taxPercent: 10, serviceDate: '2026-02-01' })
    const report = await get(`/reports/contracts?serviceType=${serviceType}&groupBy=month`)
    assert.deepEqual(report.sums, billed(sums(3, '-0.1', '-0.01', '-0.11')))
    assert.deepEqual(report.rows, [
      { month: '2026-01', ...billed(sums(1, '1000000000000', '1000000', '1000001000000')) },
      { month: '2026-02', ...billed(sums(2, '-1000000000000.1', '-1000000.01', '-1000001000000.11')) },
    ])
    await post({ serviceType, serviceFee: 1, taxPercent: 0, clientId: '22222222-2222-2222-2222-222222222222' })
    const { rows } = await get(`/reports/contracts?serviceType=${serviceType}&groupBy=clientId`)
    assert.deepEqual(
      rows.map((row: { totalFeeWithTax: string }) => row.totalFeeWithTax),
      ['1', '-0.11'],
    )
    await mint().call('PATCH', `/contracts/${credit.id}`, { serviceFee: -20 })
    const { changes, difference } = await get(
      `/reports/contracts/changes?serviceType=${serviceType}&since=${report.asOf}`,
    )
    const { before, after } = changes.find(({ contractId }: { contractId: number }) => contractId === credit.id)
    assert.deepEqual([before.serviceFee, after.totalFeeWithTax], ['-0.1', '-22'])
    assert.deepEqual(difference, sums(1, '-18.9', '-1.99', '-20.89'))
  })

  it('are exported as CSV without the apostrophe that guards texts, and imported with or without it', async () => {
    const serviceType = newType()
    const rows = ['-19.99', "'-0.1"].map((fee) => `77777777-7777-7777-7777-777777777777,-x,${serviceType},${fee},8.25`)
    const file = ['clientId,serviceName,serviceType,serviceFee,taxPercent', ...rows].join('\n')
    const headers = { 'content-type': 'text/csv', 'idempotency-key': serviceType }
    const { status, text } = await mint().call('POST', '/contracts.csv', file, headers)
    assert.equal(status, 200, text)
    const [, ...lines] = (await mint().call('GET', `/contracts.csv?serviceType=${serviceType}`)).text.split('\r\n')
    assert.ok(
      lines.some((line) => line.includes(`,'-x,${serviceType},-19.99,8.25,-21.639175,`)),
      lines.join('\n'),
    )
    assert.ok(
      lines.some((line) => line.includes(`,'-x,${serviceType},-0.1,8.25,-0.10825,`)),
      lines.join('\n'),
    )
    const report = await mint().call('GET', `/reports/contracts.csv?serviceType=${serviceType}&groupBy=serviceType`)
    assert.equal(report.text.split('\r\n')[1], `${serviceType},2,-20.09,-1.657425,-21.747425,-21.75`)
  })
})
