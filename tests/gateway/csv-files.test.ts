import assert from 'node:assert/strict'
import { overTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertInvalidRows, assertProblem } from '../support/problem-assertions.ts'
import { csvSending } from './csv-sending.ts'

overTransport('direct', 'A CSV file to import', (call) => {
  const { send, check } = csvSending(call)

  for (const [what, file] of [
    ['a byte order mark', '\ufefflegalName,phone\nA,1\n'],
    ['semicolons', 'legalName;phone\nA, B;1\n'],
    ['CRLF', 'legalName,phone\r\nA,1\r\n'],
    ['no line break at the end', 'legalName,phone\nA,1'],
    ['empty lines', '\nlegalName,phone\n\nA,1\n\n\n'],
    ['quoted names', '"legalName","phone"\nA,1'],
    ['one column', 'legalName\nA\n'],
    ['columns of an exported file', 'id,clientId,legalName,createdAt,updatedAt\nx,y,A,z,\n'],
  ] as const) {
    it(`accepts a file with ${what}`, async () => {
      assert.deepEqual((await check('/businesses.csv', file)).body, { rows: 1, created: 1, replayed: 0 })
    })
  }

  it('accepts a file without rows, as exported from an empty list', async () => {
    assert.deepEqual((await send('/businesses.csv', 'legalName\n')).body, { rows: 0, created: 0, replayed: 0 })
  })

  it('lists the first hundred errors, and counts the others', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `${index % 2 ? 'x'.repeat(301) : 'good'}`)
    const { errors, errorsOmitted, written } = assertProblem(
      await send('/businesses.csv', `legalName\n${rows.join('\n')}`),
      400,
      'validation_failed',
    )
    assert.deepEqual([errors.length, errors[0].line, errors[99].line, errorsOmitted], [100, 3, 201, 2_400])
    assert.equal(written, 0)
  })

  it('reports wrong columns once, along with the errors in the others', async () => {
    assertInvalidRows(
      await check('/contracts.csv', 'Kunde,serviceName,serviceName,serviceFee,\na,b,c,d,e\na,b,c,1,e\n'),
      [
        '1 /Kunde unknown_field',
        '1 /serviceName given_twice',
        '1 / unknown_field',
        '1 /clientId required',
        '1 /serviceType required',
        '2 /serviceFee invalid_number',
      ],
    )
    assertInvalidRows(await check('/businesses.csv', ''), ['1 /legalName required'])
  })

  it('reports the line at which a file becomes unreadable', async () => {
    for (const [file, violation] of [
      ['legalName,phone\nA,1\n"B,1\nC,1\n', '3  malformed_csv'],
      ['legalName,phone\nA,1\nB "C",1\n', '3  malformed_csv'],
      ['legalName,phone\n"A\nB",1\n"C"D,1\n', '4  malformed_csv'],
      [`legalName,phone\nA,1\nB,${'x'.repeat(102_401)}\n`, '3  too_long'],
      [','.repeat(2_000_000), '1  too_long'],
      [`legalName${','.repeat(1_000)}\nA${','.repeat(1_000)}\n`, '1  malformed_csv'],
      [`legalName,phone\nA,1\n${','.repeat(2_000_000)}`, '3  too_long'],
      ['legalName,phone\rA,1\r', '1  malformed_csv'],
      ['legalName\r', '1  malformed_csv'],
      [`legalName\r${'A\r'.repeat(100_000)}`, '1  malformed_csv'],
      ['legalName,phone\r\r\nA,1\r\r\n', '1  malformed_csv'],
      [Buffer.from('legalName,phone\nA,1\nCaf\xe9,1\n', 'latin1'), '3  invalid_encoding'],
      [Buffer.from('\ufefflegalName\nA\n', 'utf16le'), '1  invalid_encoding'],
    ] as const) {
      assertInvalidRows(await check('/businesses.csv', file), [violation])
    }
    assertInvalidRows(await check('/businesses.csv', 'legalName,email\nA,x\n"B'), [
      '2 /email invalid_email',
      '3  malformed_csv',
    ])
  })

  it('requires lines to end in LF or CRLF', async () => {
    const { errors } = (await check('/businesses.csv', 'legalName,phone\rA,1\r')).body
    assert.match(errors[0].message, /LF or CRLF/)
  })

  it('treats a quoted empty cell as missing, and skips only empty lines', async () => {
    for (const end of ['\n', '\r\n']) {
      const file = ['\ufefflegalName', 'A', '', '""', 'B', '""'].join(end)
      assertInvalidRows(await check('/businesses.csv', file), ['4 /legalName required', '6 /legalName required'])
    }
  })

  it('reports a missing client column once, for the header, not for every row', async () => {
    const file = 'serviceName,serviceType,serviceFee\na,b,1\na,b,x\n'
    assertInvalidRows(await check('/contracts.csv', file), ['1 /clientId required', '3 /serviceFee invalid_number'])
  })

  it('names the cause if a spreadsheet writes something that Mint reads differently', async () => {
    const causes: readonly (readonly [file: string, where: string, message: RegExp])[] = [
      ['sep=;\nlegalName;phone\nA;1\n', '1  malformed_csv', /separator.*Remove it/],
      ['"sep=,"\nlegalName,phone\nA,1\n', '1  malformed_csv', /separator.*Remove it/],
      ['legalName\tphone\nA\t1\n', '1  malformed_csv', /tabs/],
      ['LegalName,phone\nA,1\n', '1 /LegalName unknown_field', /Write it as legalName/],
      [' legalName,phone\nA,1\n', '1 /%20legalName unknown_field', /Write it as legalName/],
    ]
    for (const [file, where, message] of causes) {
      const answer = await check('/businesses.csv', file)
      assertInvalidRows(answer, [where.replace('%20', ' ')])
      assert.match(answer.body.errors[0].message, message)
    }
  })

  it('skips blank rows, such as those at the end of a spreadsheet', async () => {
    const rows = 'legalName,phone\n,\nSkipping,1\n ,  \n,,,\nSkipping,2\n,\n'
    const { body } = await check('/businesses.csv', rows)
    assert.deepEqual([body.rows, body.created], [2, 2])
    assertInvalidRows(await check('/businesses.csv', 'legalName,phone\n,\n,1\n'), ['3 /legalName required'])
  })

  it('requires an Idempotency-Key, except for a dry run', async () => {
    const none = { 'idempotency-key': undefined }
    assertInvalidRows(await send('/businesses.csv', 'legalName\n', none), ['- /Idempotency-Key required'])
    assertInvalidRows(await send('/businesses.csv', 'x\n', none), [
      '- /Idempotency-Key required',
      '1 /x unknown_field',
      '1 /legalName required',
    ])
    assertInvalid(await send('/businesses.csv', 'legalName\n', { 'idempotency-key': 'a b' }), [
      'header /Idempotency-Key malformed_header',
    ])
  })

  it('reports errors in the query and headers together with those in the file', async () => {
    const key = { 'idempotency-key': 'a b' }
    assertInvalidRows(await send('/contracts.csv?bar=1&dryRun=yes', 'x\n', key), [
      '- /dryRun not_allowed',
      '- /bar unknown_field',
      '- /Idempotency-Key malformed_header',
      '1 /x unknown_field',
      '1 /clientId required',
      '1 /serviceName required',
      '1 /serviceType required',
      '1 /serviceFee required',
    ])
    const withoutKey = await send('/businesses.csv?bar=1', 'legalName\nA\n', { 'idempotency-key': undefined })
    assertInvalidRows(withoutKey, ['- /bar unknown_field'])
  })

  it('refuses other media types', async () => {
    for (const type of ['application/json', 'text/plain', 'text/csv; charset=latin1']) {
      const answer = await send('/businesses.csv', 'legalName\n', { 'content-type': type })
      assertProblem(answer, 415, 'unsupported_media_type')
      assert.equal(answer.headers.get('accept-post'), 'text/csv')
    }
    assert.equal(
      (await send('/businesses.csv', 'legalName\n', { 'content-type': 'text/csv; charset=utf-8' })).status,
      200,
    )
  })

  it('accepts up to 10,000 rows and 10,000,000 bytes', async () => {
    const rows = (count: number): string => `legalName,phone\n${'A,\n'.repeat(count)}`
    assert.equal((await check('/businesses.csv', rows(10_000))).body.rows, 10_000)
    assertInvalidRows(await check('/businesses.csv', rows(10_001)), ['10002  too_many_rows'])
    const long = `legalName,phone\n${`"${'x'.repeat(90_000)}",\n`.repeat(111)}`.slice(0, -1)
    const padded = long.padEnd(10_000_000, '\n')
    const { errors, errorsOmitted } = assertProblem(await check('/businesses.csv', padded), 400, 'validation_failed')
    assert.deepEqual([errors.length, errors[0].code, errorsOmitted], [100, 'too_long', 11])
    assertProblem(await check('/businesses.csv', `${padded}\n`), 413, 'payload_too_large')
  })
})
