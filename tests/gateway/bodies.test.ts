import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { block, countTurns } from '../support/count-turns.ts'
import { overTransport } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract } from '../support/rest.ts'

overTransport('direct', 'Request bodies', (call) => {
  const post = (body: unknown, headers = {}) => call('POST', '/contracts', body, headers)

  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json; v=1',
  ]) {
    it(`${type} is accepted as a body's media type`, async () => {
      assert.equal((await post(aNewContract(), { 'content-type': type })).status, 201)
    })
  }

  for (const type of [
    'text/plain',
    'application/merge-patch+json',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/jsonx',
    'json',
    '',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ]) {
    it(`"${type}" is not accepted on creation`, async () => {
      const answer = await post(aNewContract(), { 'content-type': type })
      assertProblem(answer, 415, 'unsupported_media_type')
      assert.equal(answer.headers.get('accept-post'), 'application/json')
    })
  }

  it('a media type longer than any real one is refused unparsed, because parsing it takes quadratic time', async () => {
    const type = `application/json;a=b${' '.repeat(10_000)}x`
    assertProblem(await post(aNewContract(), { 'content-type': type }), 415, 'unsupported_media_type')
  })

  it('a body without a media type is refused, and PATCH names those it accepts', async () => {
    const bytes = Buffer.from('{}')
    const answer = await call('PATCH', '/contracts/1', bytes, { 'content-type': undefined })
    assertProblem(answer, 415, 'unsupported_media_type')
    assert.equal(answer.headers.get('accept-patch'), 'application/json, application/merge-patch+json')
  })

  it('a compressed body is refused, an identity one is not', async () => {
    const gzipped = await post(gzipSync(JSON.stringify(aNewContract())), { 'content-encoding': 'gzip' })
    assertProblem(gzipped, 415, 'unsupported_media_type')
    assert.equal((await post(aNewContract(), { 'content-encoding': 'Identity' })).status, 201)
  })

  it('102,400 bytes are accepted, one byte more is refused', async () => {
    const json = JSON.stringify(aNewContract())
    assert.equal((await post(json.padEnd(102_400))).status, 201)
    assertProblem(await post(json.padEnd(102_401)), 413, 'payload_too_large')
    assertProblem(await post(json.padEnd(5_000_000)), 413, 'payload_too_large')
  })

  for (const [size, fields] of [
    ['small', 10],
    ['large', 7_000],
  ] as const) {
    it(`${size} bodies of a key are parsed in turns, so that others have theirs in between`, async () => {
      const body = JSON.stringify(
        Object.fromEntries(Array.from({ length: fields }, (_, index) => [`k${index}`, index])),
      )
      const parse = JSON.parse
      const counted = countTurns()
      const turns: number[] = []
      JSON.parse = (text, reviver) => {
        if (text === body) {
          turns.push(counted.now())
          block(4)
        }
        return parse(text, reviver)
      }
      try {
        const answers = await Promise.all(Array.from({ length: 30 }, () => post(Buffer.from(body))))
        assert.deepEqual([...new Set(answers.map(({ status }) => status))], [400])
        assert.deepEqual([turns.length, new Set(turns).size], [30, 30])
      } finally {
        counted.stop()
        JSON.parse = parse
      }
    })
  }

  for (const [what, body] of [
    ['nothing', ''],
    ['white space', ' \n'],
    ['a cut-off object', '{"serviceFee":1'],
    ['two values', '{}{}'],
    ['a comment', '{/**/}'],
    ['NaN', '{"serviceFee":NaN}'],
    ['single quotes', "{'a':1}"],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['UTF-16', Buffer.from('{"a":1}', 'utf16le')],
    ['an encoded surrogate', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['deep nesting without an end', '['.repeat(100_000)],
  ] as const) {
    it(`${what} is malformed_json`, async () => {
      const given = body === '' ? Buffer.alloc(0) : body
      assertProblem(await post(given), 400, 'malformed_json')
    })
  }

  it('malformed_json gives the position, if the parser knows it, and never quotes the body', async () => {
    const detailOf = async (body: string) => (await post(body)).body.detail
    const end = 'Send one complete JSON object.'
    const withTwoCommas = '{"notes": "a secret",\n "serviceFee": 12,, }'
    assert.equal(await detailOf(withTwoCommas), `The body is not valid JSON at line 2, column 19. ${end}`)
    assert.equal(await detailOf('{"notes": a secret}'), `The body is not valid JSON in UTF-8. ${end}`)
  })

  for (const body of ['null', '[]', '"x"', '5', 'true', `${'['.repeat(50_000)}${']'.repeat(50_000)}`]) {
    it(`${body.slice(0, 10)} is JSON, but not an object`, async () => {
      assertInvalid(await post(body), ['body  wrong_type'])
    })
  }

  it('numbers are validated as sent, not as a double represents them', async () => {
    const { serviceFee: _, ...rest } = aNewContract({ taxPercent: 0 })
    const send = (fee: string, headers = {}) => post(`{"serviceFee":${fee},${JSON.stringify(rest).slice(1)}`, headers)
    assertInvalid(await send('1000000000000.00001'), [
      'body /serviceFee out_of_range',
      'body /serviceFee too_many_decimals',
    ])
    assertInvalid(await send('19.990000000000000001'), ['body /serviceFee too_many_decimals'])
    assertInvalid(await send('1e-999999999'), ['body /serviceFee too_many_decimals'])
    const exact = await send('600000000000.0003', { 'idempotency-key': 'exact' })
    assert.equal(exact.status, 201)
    const again = await send('600000000000.00030', { 'idempotency-key': 'exact' })
    assert.equal(again.text, exact.text)
    assertProblem(await send('600000000000.0002', { 'idempotency-key': 'exact' }), 409, 'idempotency_key_reused')
    const named = `{"serviceName":600000000000.0003,${JSON.stringify({ ...rest, serviceFee: 1, serviceName: undefined }).slice(1)}`
    assert.match((await post(named)).text, /A number is not accepted here/)
  })

  it('deep nesting around a number of many digits is refused', async () => {
    const deep = `${'['.repeat(50_000)}1234567890.1234567890${']'.repeat(50_000)}`
    assert.equal((await post(deep)).status, 400)
  })

  it('deep nesting inside a field is the wrong type', async () => {
    const deep = `${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}`
    const { clientId: _, ...rest } = aNewContract()
    const body = `{"clientId":${deep},${JSON.stringify(rest).slice(1)}`
    assertInvalid(await post(body, { 'idempotency-key': 'deep' }), ['body /clientId wrong_type'])
  })

  it('the first hundred of thousands of unknown fields are listed, the others counted', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const names = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c))).slice(0, 12_000)
    const answer = await post(Object.fromEntries(names.map((name) => [name, 1])))
    const { errors, errorsOmitted } = assertProblem(answer, 400, 'validation_failed')
    const required = ['/clientId', '/serviceName', '/serviceType', '/serviceFee']
    assert.deepEqual(
      errors.map(({ pointer }: { pointer: string }) => pointer),
      [...required, ...names.map((name) => `/${name}`)].slice(0, 100),
    )
    assert.equal(errorsOmitted, 12_004 - 100)
  })

  it('long names of unknown fields are truncated, and as many are listed as fit into 64 KB', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${index}${'\u0001"é'.repeat(200)}`)
    const answer = await post(Object.fromEntries(names.map((name) => [name, 1])))
    const { errors, errorsOmitted } = assertProblem(answer, 400, 'validation_failed')
    assert.ok(errors.length > 10, `${errors.length} named`)
    assert.equal(errors.length + errorsOmitted, 34)
    assert.equal(errors.at(-1).pointer, `/${names[errors.length - 5]?.slice(0, 499)}…`)
  })

  it('a field name that could pollute a prototype is refused and pollutes nothing', async () => {
    const json = JSON.stringify(aNewContract()).slice(0, -1)
    assertInvalid(await post(`${json},"__proto__":{"notes":"x"},"constructor":{"prototype":1}}`), [
      'body /__proto__ unknown_field',
      'body /constructor unknown_field',
    ])
    assert.equal(({} as { notes?: unknown }).notes, undefined)
  })
})
