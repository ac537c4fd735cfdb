import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertInvalidRows, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'
import { waitFor } from '../support/wait-for.ts'
import { csvSending } from './csv-sending.ts'

const ACME = '11111111-1111-1111-1111-111111111111'

overEachTransport('CSV import', (call) => {
  const { send, check } = csvSending(call)

  const totalOf = async (path: string): Promise<number> => (await call('GET', path)).body.total
  const contractsOf = async (serviceType: string) =>
    (await call('GET', `/contracts?search=${serviceType}`)).body.contracts
  /** A word that occurs in no other test's records. */
  const newWord = (): string => randomUUID().replaceAll('-', '')

  async function newBusiness(legalName: string): Promise<string> {
    const { body } = await call('POST', '/businesses', { legalName })
    await waitFor(async () => (await call('GET', `/clients?limit=1`)).body.clients[0]?.clientId === body.clientId, {
      what: 'its client',
    })
    return body.clientId
  }

  it('creates a record for each row', async () => {
    const type = newWord()
    const file = `clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate,notes
${ACME.toUpperCase()},Audit,${type},19.99,8.25,2026-01-31,"a ""note"", in
two lines"
${ACME},Payroll,${type},0150.50,,2026-02-28T00:00:00.000Z,
`
    const { status, body } = await send('/contracts.csv', file)
    assert.deepEqual([status, body], [200, { rows: 2, created: 2, replayed: 0 }])
    const made = (await contractsOf(type)).sort((a: { id: number }, b: { id: number }) => a.id - b.id)
    const shown = made.map(({ id: _, createdAt: _c, updatedAt: _u, ...rest }: Record<string, unknown>) => rest)
    const common = { clientId: ACME, serviceType: type }
    assert.deepEqual(shown, [
      {
        ...common,
        serviceName: 'Audit',
        serviceFee: 19.99,
        taxPercent: 8.25,
        totalFeeWithTax: 21.639175,
        serviceDate: '2026-01-31T00:00:00.000Z',
        notes: 'a "note", in\ntwo lines',
      },
      {
        ...common,
        serviceName: 'Payroll',
        serviceFee: 150.5,
        taxPercent: 0,
        totalFeeWithTax: 150.5,
        serviceDate: '2026-02-28T00:00:00.000Z',
        notes: '',
      },
    ])
  })

  it('creates businesses, each of which becomes a client', async () => {
    const name = newWord()
    const file = `legalName;email;industryType;taxId\r\n${name} Ltd;a@b.example;retail;\r\n${name} "Inc";;;7\r\n`
    assertInvalidRows(await send('/businesses.csv', file), ['3  malformed_csv'])
    const { body } = await send('/businesses.csv', file.replace(`${name} "Inc"`, `"${name} ""Inc"""`))
    assert.deepEqual(body, { rows: 2, created: 2, replayed: 0 })
    const { businesses } = (await call('GET', `/businesses?search=${name}`)).body
    assert.deepEqual(businesses.map((one: { legalName: string }) => one.legalName).sort(), [
      `${name} "Inc"`,
      `${name} Ltd`,
    ])
    await waitFor(async () => (await totalOf(`/clients?search=${name}`)) === 2, { what: 'their clients' })
  })

  it('reports every error with its line, and writes nothing', async () => {
    const type = newWord()
    const row = (fields: string): string => `${ACME},${fields}`
    const file = [
      'clientId,serviceName,serviceType,serviceFee,taxPercent,serviceDate',
      row(`good,${type},1,,`),
      row(`"two\nlines",${type},x,,`),
      row(`,${type},1,2000,2026-02-30`),
      row(`short,${type},1`),
      '',
      row(`"a\r\nb\nc",,,,`),
      `nobody,a,${type},"1,50",,`,
      `,a,${type},-1000000000001,,`,
      row(`good,${type},1,,`),
    ]
    assertInvalidRows(await send('/contracts.csv', file.join('\n')), [
      '3 /serviceFee invalid_number',
      '5 /serviceName required',
      '5 /taxPercent out_of_range',
      '5 /serviceDate invalid_date',
      '6  malformed_csv',
      '8 /serviceType required',
      '8 /serviceFee required',
      '11 /clientId invalid_uuid',
      '11 /serviceFee invalid_number',
      '12 /clientId required',
      '12 /serviceFee out_of_range',
    ])
    assert.equal(await totalOf(`/contracts?search=${type}`), 0)
  })

  it('finds a newly created client by its name', async () => {
    for (let n = 0; n < 5; n++) {
      const legalName = `New ${randomUUID()}`
      await call('POST', '/businesses', { legalName })
      const file = `client,serviceName,serviceType,serviceFee\n${legalName},a,new,1\n`
      assert.deepEqual((await send('/contracts.csv', file)).body, { rows: 1, created: 1, replayed: 0 })
    }
  })

  it('finds a client by its full name, ignoring case and accents', async () => {
    const [one, other, twice] = [newWord(), newWord(), newWord()]
    const oneId = await newBusiness(`ÉCOLE ${one}`)
    await newBusiness(`${other} & Son’s `)
    for (const _ of [1, 2]) await newBusiness(twice)
    const type = newWord()
    const row = (clientId: string, client: string) => `${clientId},${client},a,${type},1`
    const header = 'clientId,client,serviceName,serviceType,serviceFee'
    // Longer than the service accepts in a search, which must not fail for the other rows.
    const long = 'x'.repeat(1_001)
    const names = [other, twice, 'École', '', long, `ecole ${one}`]
    const wrong = [header, ...names.map((name) => row('', name))]
    assertInvalidRows(await send('/contracts.csv', wrong.join('\n')), [
      '2 /client unknown_client',
      '3 /client ambiguous_client',
      '4 /client unknown_client',
      '5 /clientId required',
      '6 /client unknown_client',
    ])
    const good = [
      header,
      row('', ` e\u0301cole ${one}\u00a0`),
      row(ACME, 'anybody'),
      row(oneId, twice),
      row('', `${other} & SON'S`),
    ]
    assert.deepEqual((await send('/contracts.csv', good.join('\n'))).body, { rows: 4, created: 4, replayed: 0 })
    const ids = (await contractsOf(type)).map(({ clientId }: { clientId: string }) => clientId)
    assert.deepEqual(new Set(ids).size, 3)
    assert.equal(ids.filter((id: string) => id === oneId).length, 2)
  })

  it('refuses a row that only the service can reject, before anything is written', async () => {
    const { body: business } = await call('POST', '/businesses', { legalName: newWord() })
    const type = newWord()
    const file = `clientId,serviceName,serviceType,serviceFee\n${ACME},a,${type},1\n${business.id},a,${type},1\n`
    for (const answer of [await check('/contracts.csv', file), await send('/contracts.csv', file)]) {
      assertInvalidRows(answer, ['3 /clientId business_id'])
    }
    assert.equal(await totalOf(`/contracts?search=${type}`), 0)
  })

  it('removes the apostrophe that keeps a text from being read as a formula', async () => {
    const type = newWord()
    const file = `clientId,serviceName,serviceType,serviceFee,notes\n${ACME},'=1+1,${type},'5,''x\n${ACME},'' ,${type},5,'\n`
    assert.equal((await send('/contracts.csv', file)).status, 200)
    const made = (await contractsOf(type)) as { serviceName: string; notes: string }[]
    assert.deepEqual(made.map(({ serviceName, notes }) => [serviceName, notes]).sort(), [
      ["' ", ''],
      ['=1+1', "'x"],
    ])
  })

  it('answers a dry run like the real one, and writes nothing', async () => {
    const type = newWord()
    const file = `clientId,serviceName,serviceType,serviceFee\n${ACME},a,${type},1\n`
    assert.deepEqual((await check('/contracts.csv', file)).body, { rows: 1, created: 1, replayed: 0 })
    assert.equal(await totalOf(`/contracts?search=${type}`), 0)
    assertInvalid(await send('/contracts.csv?dryRun=yes', file), ['query /dryRun not_allowed'])
  })

  for (const [path, header, row] of [
    ['/contracts', 'clientId,serviceName,serviceType,serviceFee', (word: string) => `${ACME},a,${word},1`],
    ['/businesses', 'legalName,phone', (word: string) => `${word},1`],
  ] as const) {
    it(`creates nothing twice under one Idempotency-Key, on ${path}`, async () => {
      const word = newWord()
      const rows = Array.from({ length: 30 }, () => row(word))
      const file = `${header}\n${rows.join('\n')}\n`
      const key = { 'idempotency-key': newWord() }
      const answers = await Promise.all(Array.from({ length: 8 }, () => send(`${path}.csv`, file, key)))
      for (const { status, body } of answers) assert.deepEqual([status, body.created + body.replayed], [200, 30])
      assert.equal(
        answers.reduce((sum, { body }) => sum + body.created, 0),
        30,
      )
      const others = [`${file}\n`, file.replace('\n', '\r\n'), `${header}\n${row(word)}\n`]
      for (const target of [`${path}.csv`, `${path}.csv?dryRun=true`]) {
        assert.deepEqual((await send(target, file, key)).body, { rows: 30, created: 0, replayed: 30 })
        for (const other of others) assertProblem(await send(target, other, key), 409, 'idempotency_key_reused')
      }
      assert.equal(await totalOf(`${path}?search=${word}`), 30)
    })

    it(`lists in a dry run, on request, what was written under its Idempotency-Key, on ${path}`, async () => {
      const word = newWord()
      const file = `${header}\n${row(word)}\n${row(word)}\n`
      const key = { 'idempotency-key': newWord() }
      const idsOf = async (headers = key) => (await send(`${path}.csv?dryRun=true&ids=true`, file, headers)).body
      assert.deepEqual(await idsOf(), { rows: 2, created: 2, replayed: 0, ids: [] })
      await send(`${path}.csv`, file, key)
      const listed = (await call('GET', `${path}?search=${word}`)).body[path.slice(1)]
      const { ids, ...counts } = await idsOf()
      assert.deepEqual(counts, { rows: 2, created: 0, replayed: 2 })
      assert.deepEqual(ids.toSorted(), listed.map(({ id }: { id: unknown }) => id).toSorted())
      assertInvalidRows(await send(`${path}.csv?ids=true`, file, key), ['- /ids not_together'])
    })
  }

  it('shares its Idempotency-Keys with single writes', async () => {
    const file = `clientId,serviceName,serviceType,serviceFee\n${ACME},a,b,1\n${ACME},a,b,1\n`
    const [first, second] = [{ 'idempotency-key': newWord() }, { 'idempotency-key': newWord() }]
    assert.equal((await send('/contracts.csv', file, first)).status, 200)
    assertProblem(await call('POST', '/contracts', aNewContract(), first), 409, 'idempotency_key_reused')
    assert.equal((await call('POST', '/contracts', aNewContract(), second)).status, 201)
    assert.equal((await call('POST', '/businesses', { legalName: 'A' }, second)).status, 201)
    const before = await totalOf('/contracts')
    for (const query of ['?dryRun=true', '']) {
      assertProblem(await send(`/contracts.csv${query}`, file, second), 409, 'idempotency_key_reused')
      assertProblem(await send(`/businesses.csv${query}`, 'legalName\nA\n', second), 409, 'idempotency_key_reused')
    }
    assert.equal(await totalOf('/contracts'), before)
    // Contracts and businesses don't share keys.
    assert.equal((await send('/businesses.csv', 'legalName\nA\n', first)).status, 200)
  })

  it('replays the same file even after its clients were renamed', async () => {
    const name = newWord()
    const clientId = await newBusiness(name)
    const { id } = (await call('GET', `/businesses?search=${name}`)).body.businesses[0]
    const file = `client,serviceName,serviceType,serviceFee\n${name},a,b,1\n${name},a,b,1\n`
    const key = { 'idempotency-key': newWord() }
    assert.equal((await send('/contracts.csv', file, key)).body.created, 2)
    await call('PATCH', `/businesses/${id}`, { operatedAs: newWord() })
    await waitFor(async () => (await totalOf(`/clients?search=${name}`)) === 0, { what: 'the new name' })
    for (const path of ['/contracts.csv?dryRun=true', '/contracts.csv']) {
      assert.deepEqual((await send(path, file, key)).body, { rows: 2, created: 0, replayed: 2 })
    }
    assert.equal(await totalOf(`/contracts?clientId=${clientId}`), 2)
  })
})
