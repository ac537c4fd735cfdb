import assert from 'node:assert/strict'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { aNewContract, create, type Rest } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

const CLIENT = '77777777-7777-7777-7777-777777777777'

overEachTransport('Link: rel="next"', (call) => {
  let first: { readonly id: number; readonly createdAt: string }
  before(async () => {
    first = await create(call, '/contracts', aNewContract({ clientId: CLIENT, serviceName: 'Café & “crème” 1' }))
    for (let number = 2; number <= 5; number++) {
      const serviceType = `type ${number}`
      const serviceName = `Café & “crème” ${number}`
      await create(call, '/contracts', aNewContract({ clientId: CLIENT, serviceName, serviceType }))
      await create(call, '/businesses', { legalName: `Café ${number}` })
      await call('PATCH', `/contracts/${first.id}`, { notes: `edit ${number}` })
      await call('PATCH', '/firm', { name: `Firm ${number}` })
      await call('PUT', '/closing', { closedThrough: `2001-01-0${number}`, reason: `up to ${number}` })
    }
    await waitFor(async () => (await call('GET', '/clients')).body.total >= 4, { what: 'the Clients' })
  })

  const lists: Readonly<Record<string, () => string>> = {
    contracts: () => `/contracts?search=${encodeURIComponent('crème” & café')}&clientId=${CLIENT}`,
    businesses: () => '/businesses?search=caf%C3%A9',
    clients: () => '/clients?search=caf%C3%A9',
    'the feed': () => '/events?types=mint.contract.created.v1,mint.contract.edited.v1',
    "a contract's history": () => `/contracts/${first.id}/history`,
    "the firm's history": () => '/firm/history',
    "the closing's history": () => '/closing/history',
    'a report': () => `/reports/contracts?groupBy=serviceType,clientId&clientId=${CLIENT}`,
    'lines of a report': () => `/reports/contracts/lines?clientId=${CLIENT}`,
    'changes of a report': () => `/reports/contracts/changes?since=2001-01-01T00:00:00Z&clientId=${CLIENT}`,
  }
  for (const [name, path] of Object.entries(lists)) {
    it(`leads through all pages of ${name}, with the same filters, and ends`, async () => {
      const whole = await allRows(call, `${path()}${path().includes('?') ? '&' : '?'}limit=100`)
      assert.equal(whole.pages, 1)
      assert.ok(whole.rows.length > 3, `${whole.rows.length} rows`)
      const paged = await allRows(call, `${path()}${path().includes('?') ? '&' : '?'}limit=2`)
      assert.equal(paged.pages, Math.ceil(whole.rows.length / 2))
      assert.deepEqual(paged.rows, whole.rows)
    })
  }

  it('continues with `after` if the request has it, even under concurrent writes', async () => {
    const { rows } = await allRows(call, `/contracts?clientId=${CLIENT}&limit=100`)
    const start = `/contracts?clientId=${CLIENT}&limit=2&after=${rows[0].id}`
    const { headers } = await call('GET', start)
    assert.equal(headers.get('link'), `</contracts?clientId=${CLIENT}&limit=2&after=${rows[2].id}>; rel="next"`)
    await create(call, '/contracts', aNewContract({ clientId: CLIENT }))
    assert.deepEqual((await allRows(call, start)).rows, rows.slice(1))
  })

  it('pins the moment of a report, so that its pages are consistent', async () => {
    const path = `/reports/contracts/lines?clientId=${CLIENT}&limit=1`
    const { body, headers } = await call('GET', path)
    assert.equal(headers.get('link'), `<${path}&asOf=${encodeURIComponent(body.asOf)}&offset=1>; rel="next"`)
  })

  it('is also sent for HEAD, but not with a problem', async () => {
    assert.match(
      (await call('HEAD', '/contracts?limit=1')).headers.get('link') ?? '',
      /^<\/contracts\?limit=1&offset=1>/,
    )
    assert.equal((await call('GET', '/contracts?limit=0')).headers.get('link'), null)
  })
})

/** Every row from a page on, following `next`. */
// biome-ignore lint/suspicious/noExplicitAny: any answer of the API
async function allRows(call: Rest, from: string): Promise<{ readonly pages: number; readonly rows: any[] }> {
  const rows = []
  let pages = 0
  for (let next: string | undefined = from; next !== undefined; pages++) {
    const { status, body, headers } = await call('GET', next)
    assert.equal(status, 200)
    rows.push(...(Object.values(body).find(Array.isArray) as unknown[]))
    next = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
  }
  return { pages, rows }
}
