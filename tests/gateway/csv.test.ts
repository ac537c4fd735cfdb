import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { assertNone } from '../support/assert-none.ts'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'

/** The file as another program reads it: each line's texts by column. */
const read = (text: string): Record<string, string>[] => parse(text, { columns: true, record_delimiter: '\r\n' })

/** Texts that a spreadsheet may take for formulas, including after splitting at semicolons or trimming. */
const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  ' =1',
  '\u00a0=1',
  '＝1',
  '＠A1',
  "'=1",
  " '1",
]

overEachTransport('CSV', (call) => {
  let clients = 0
  const newClient = () => `77777777-7777-7777-7777-${String(++clients).padStart(12, '0')}`
  const post = async (changes: object) => (await call('POST', '/contracts', aNewContract(changes))).body
  const lines = async (path: string) => {
    const answer = await call('GET', path)
    assert.equal(answer.status, 200, answer.text)
    return read(answer.text)
  }
  const ids = async (query: string) => (await lines(`/contracts.csv?${query}`)).map(({ id }) => Number(id))

  it('has a header line, and the fields of the record in the same order and format', async () => {
    const clientId = newClient()
    const record = await post({ clientId, serviceFee: 19.99, taxPercent: 8.25, serviceDate: '2026-01-31' })
    const { status, text, headers } = await call('GET', `/contracts.csv?clientId=${clientId}`)
    assert.equal(status, 200)
    const { id, clientId: _, ...rest } = { ...record, serviceDate: '2026-01-31' }
    const columns = ['id', 'clientId', 'client', ...Object.keys(rest)]
    assert.equal(text, `${columns.join(',')}\r\n${[id, clientId, '', ...Object.values(rest)].join(',')}\r\n`)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="contracts.csv"')
  })

  it('shows a business’s missing tax id as an empty field', async () => {
    const { body } = await call('POST', '/businesses', { legalName: 'Café "Zur Post", Wien', phone: '0660' })
    const [line] = await lines('/businesses.csv?search=zur%20post')
    assert.deepEqual(line, { ...body, taxId: '' })
    const { headers } = await call('GET', '/businesses.csv')
    assert.equal(headers.get('content-disposition'), 'attachment; filename="businesses.csv"')
  })

  it('has every match for the list’s filters, in the list’s order, unless a limit is given', async () => {
    const clientId = newClient()
    const made: number[] = []
    for (let day = 1; day <= 5; day++) {
      made.unshift((await post({ clientId, serviceDate: `2026-03-0${day}`, serviceName: `Day ${day}` })).id)
    }
    await Promise.all(Array.from({ length: 105 }, () => post({ clientId, serviceDate: '2026-04-01' })))
    const list = (query: string) => ids(`clientId=${clientId}&${query}`)
    assert.equal((await list('')).length, 110)
    assert.equal((await list('limit=100')).length, 100)
    assert.deepEqual(await list('serviceDateTo=2026-03-31'), made)
    assert.deepEqual(await list('serviceDateFrom=2026-03-02&serviceDateTo=2026-03-03'), made.slice(2, 4))
    assert.deepEqual(await list('search=day%205'), made.slice(0, 1))
    assert.deepEqual(await list('serviceDateTo=2026-03-31&offset=3'), made.slice(3))
    assert.deepEqual(await list('serviceDateTo=2026-03-31&offset=1&limit=2'), made.slice(1, 3))
    assert.deepEqual(await list(`after=${made[1]}`), made.slice(2))
    assert.deepEqual(await list('updatedSince=2999-01-01T00:00:00Z'), [])
  })

  it('has only the header line past the end of the list', async () => {
    await post({})
    for (const query of ['offset=1000000', `offset=1&clientId=${newClient()}`, 'offset=1000000&search=audit']) {
      assert.deepEqual(await ids(query), [])
    }
  })

  it('has each record that existed when it began exactly once, even under concurrent writes', async () => {
    const clientId = newClient()
    const there = await Promise.all(Array.from({ length: 300 }, () => post({ clientId })))
    let isDownloading = true
    const download = ids(`clientId=${clientId}`).finally(() => {
      isDownloading = false
    })
    for (let round = 0; isDownloading; round++) {
      await Promise.all([
        post({ clientId }),
        call('PATCH', `/contracts/${there[round % 300].id}`, { notes: `edit ${round}` }),
      ])
    }
    const counts = new Map<number, number>()
    for (const id of await download) counts.set(id, (counts.get(id) ?? 0) + 1)
    assertNone(there.filter(({ id }) => counts.get(id) !== 1))
  })

  for (const formula of FORMULAS) {
    it(`keeps a spreadsheet from taking ${JSON.stringify(formula)} for a formula`, async () => {
      const clientId = newClient()
      await post({ clientId, notes: formula })
      assert.equal((await lines(`/contracts.csv?clientId=${clientId}`))[0]?.notes, `'${formula}`)
    })
  }

  it('quotes texts that another separator would split, so that no part of a text starts a cell', async () => {
    for (const text of ['a;=1+1', 'a\t=1+1', 'a\n=1+1', 'a\r=1+1', 'a,=1+1', 'a"=1+1']) {
      const clientId = newClient()
      await post({ clientId, notes: text })
      const file = (await call('GET', `/contracts.csv?clientId=${clientId}`)).text
      assert.ok(file.includes(`,"${text.replaceAll('"', '""')}",`), file)
    }
  })

  it('has exact amounts, even those that a double would round, and no apostrophe before a minus', async () => {
    const clientId = newClient()
    const exact = aNewContract({ clientId, serviceFee: 0, taxPercent: 0 })
    const json = JSON.stringify(exact).replace('"serviceFee":0', '"serviceFee":-999999999999.9998')
    assert.equal((await call('POST', '/contracts', json)).status, 201)
    const [line] = await lines(`/contracts.csv?clientId=${clientId}`)
    assert.deepEqual([line?.serviceFee, line?.totalFeeWithTax], ['-999999999999.9998', '-999999999999.9998'])
  })

  it('has the client’s name next to its id', async () => {
    const { body } = await call('POST', '/businesses', { legalName: 'Ö, "Sons" & Co' })
    await post({ clientId: body.clientId })
    await waitFor(async () => (await call('GET', '/clients?search=sons')).body.total === 1, {
      what: 'the client',
    })
    const [line] = await lines(`/contracts.csv?clientId=${body.clientId}`)
    assert.deepEqual([line?.clientId, line?.client], [body.clientId, 'Ö, "Sons" & Co'])
  })

  it('starts with a byte order mark on request', async () => {
    const startOf = async (path: string) => (await call('GET', path)).text.slice(0, 3)
    assert.equal(await startOf('/contracts.csv?bom=true&limit=1'), '\ufeffid')
    assert.equal(await startOf('/contracts.csv?bom=false&limit=1'), 'id,')
    assertInvalid(await call('GET', '/contracts.csv?bom=yes'), ['query /bom not_allowed'])
  })

  it('answers HEAD with the headers only', async () => {
    const { status, text, headers } = await call('HEAD', '/contracts.csv')
    assert.deepEqual([status, text, headers.get('content-type')], [200, '', 'text/csv; charset=utf-8'])
  })

  it('reports invalid parameters as a problem', async () => {
    assertInvalid(await call('GET', '/contracts.csv?limit=101&x=1'), [
      'query /limit out_of_range',
      'query /x unknown_field',
    ])
    assertInvalid(await call('GET', '/contracts.csv?after=99999999'), ['query /after unknown_cursor'])
    assertInvalid(await call('GET', '/businesses.csv?serviceDateTo=2026-01-01'), ['query /serviceDateTo unknown_field'])
    assertProblem(await call('DELETE', '/contracts.csv'), 405, 'method_not_allowed')
  })
})
