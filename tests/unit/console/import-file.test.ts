import assert from 'node:assert/strict'
import { mappingOf } from '../../../cli/csv/import-csv.ts'
import { explain } from '../../../console/api/explain.ts'
import { ApiProblem, Unreachable } from '../../../console/api/problem.ts'
import { type CsvFile, readCsvFile } from '../../../console/csv/csv-file.ts'
import { type ImportProgress, importFile, type PieceRequest } from '../../../console/csv/import-file.ts'
import { createNumberReader } from '../../../console/format/numbers.ts'
import { guessMapping } from '../../../console/import/columns.ts'
import { createNumberNotation, dateNotation, respell } from '../../../console/import/spelling.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'

const HEADER = 'clientId,serviceName,serviceType,serviceFee,serviceDate'

const contracts = (count: number): string =>
  `${HEADER}\n${Array.from({ length: count }, (_, n) => `a,"Ser\nvice ${n}",tax,1.5,2026-03-31`).join('\n')}`

/** A file that arrives in chunks of this many bytes. */
const open = (text: string, size = 1_000): Promise<CsvFile> => {
  const bytes = Buffer.from(text)
  return readCsvFile(async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })
}

type Answer = { readonly created: number; readonly replayed: number } | Error

/** Sends a file; `answers` go to its requests in turn, the last one to all further requests. */
async function sent(file: CsvFile, options: Partial<Parameters<typeof importFile>[1]>, ...answers: readonly Answer[]) {
  const requests: PieceRequest[] = []
  const progress: ImportProgress[] = []
  const send = async (request: PieceRequest) => {
    const answer = answers[Math.min(requests.push(request), answers.length) - 1] ?? { created: 1, replayed: 0 }
    if (answer instanceof Error) throw answer
    return answer
  }
  let failure: unknown
  try {
    const mapping = mappingOf(file, 'contracts', new Map())
    const all = { many: 'contracts', file, mapping, isCheck: false, ...options }
    for await (const one of importFile(send, all)) progress.push(one)
  } catch (error) {
    failure = error
  }
  const { wrong: _, ...last } = progress.at(-1) ?? assert.fail('there is no progress')
  return { requests, last, wrong: progress.flatMap((one) => one.wrong), failure }
}

const keysOf = ({ requests }: { readonly requests: readonly PieceRequest[] }) =>
  requests.map(({ headers }) => headers['Idempotency-Key'])

const refused = (written?: number, line = 2) =>
  new ApiProblem(400, {
    code: 'validation_failed',
    errors: [{ in: 'body', line, pointer: '/serviceDate', code: 'period_closed', message: 'Closed.' }],
    errorsOmitted: 2,
    ...(written !== undefined && { written }),
  })

describe('Importing a file', () => {
  it('sends the first row alone and then a thousand at a time, under keys derived from the file’s bytes and its purpose', async () => {
    const first = await sent(await open(contracts(1_500)), {})
    assert.deepEqual(
      first.requests.map(({ text }) => (text.match(/Ser\nvice/g) ?? []).length),
      [1, 1_000, 499],
    )
    assert.equal(new Set(keysOf(first)).size, 3)
    for (const key of keysOf(first)) assert.match(key ?? '', /^import-contracts-[0-9a-f-]{10,30}-[123]$/)
    const others = [
      await sent(await open(`${contracts(1_500)}\n`), {}),
      await sent(await open(contracts(1_500)), { many: 'businesses' }),
      await sent(await open(contracts(1_500)), { name: 'march' }),
    ]
    for (const other of others) assert.equal(keysOf(other).filter((key) => keysOf(first).includes(key)).length, 0)
  })

  it('sends the same requests however the file is read, both to check and to write', async () => {
    const strip = ({ requests }: { readonly requests: readonly PieceRequest[] }) =>
      requests.map(({ query: _, ...request }) => request)
    const first = await sent(await open(contracts(1_500)), {})
    assert.deepEqual(strip(await sent(await open(contracts(1_500), 7), { isCheck: true })), strip(first))
  })

  it('sends an exported file identically from the command line and from the console', async () => {
    const given = Object.entries(contractFields).filter(([, field]) => 'rule' in field)
    const fields = given.map(([name]) => ({ name, label: name }))
    const names = [
      'id',
      'clientId',
      'client',
      ...Object.keys(contractFields).filter((name) => !/^(id|clientId)$/.test(name)),
    ]
    const cells = names.map((name) =>
      name === 'serviceFee' ? '0150.50' : name === 'serviceDate' ? '2026-03-31' : "'-1",
    )
    const file = await open(`${names.join(';')}\n${cells.join(';')}\n;;\n`)
    const commandLine = await sent(file, {})
    const numbers = createNumberNotation(createNumberReader(['de-DE']))
    const mapping = guessMapping(file.columns, [{ name: 'client', label: 'Client (name)' }, ...fields])
    const read = (cell: string, column: number) =>
      file.columns[column] === 'serviceDate' ? respell(cell, dateNotation, 'dmy') : respell(cell, numbers, '.')
    const console = await sent(file, { mapping, read })
    assert.deepEqual(console.requests, commandLine.requests)
    assert.doesNotMatch(commandLine.requests[0]?.text ?? '', /createdAt|totalFeeWithTax/)
  })

  it('leaves out the columns that the command line maps to no field', async () => {
    const file = await open('Name,Colour,id,\nA,red,1,\n')
    const names = new Map([
      ['Name', 'legalName'],
      ['Colour', ''],
    ])
    assert.deepEqual(mappingOf(file, 'businesses', names), ['legalName', undefined, undefined, ''])
    const unnamed = mappingOf(file, 'businesses', new Map([...names, ['', '']]))
    assert.deepEqual(unnamed, ['legalName', undefined, undefined, undefined])
  })

  it('ignores empty cells beyond the header’s, but no others', async () => {
    const file = await open('legalName;phone\nA;1;\nB;2;; \nC;3;x\n')
    const { requests, wrong } = await sent(file, { many: 'businesses', mapping: ['legalName', 'phone'], isCheck: true })
    assert.deepEqual(
      requests.map(({ text }) => text),
      ['legalName,phone\nA,1', 'legalName,phone\nB,2'],
    )
    assert.deepEqual(
      wrong.map(({ line, code }) => [line, code]),
      [[4, 'cell_count']],
    )
  })

  it('keeps the apostrophe of a name, which Mint would take for one that protects a formula', async () => {
    const file = await open("legalName,operatedAs,phone\n't Hooft BV,''s-Hertogenbosch,'-1\n\"'š\",'=x,'0123\n")
    const { requests } = await sent(file, { many: 'businesses', mapping: ['legalName', 'operatedAs', 'phone'] })
    assert.deepEqual(
      requests.map(({ text }) => text.split('\n')[1]),
      ["''t Hooft BV,''s-Hertogenbosch,'-1", "''š,'=x,'0123"],
    )
  })

  it('repeats a request unchanged while Mint is unavailable or busy', async () => {
    const busy = new ApiProblem(429, { code: 'rate_limited' }, 0.001)
    const unknown = new ApiProblem(503, { code: 'outcome_unknown' }, 0.001)
    const away = new ApiProblem(502, {}, 0.001)
    const { requests, last, failure } = await sent(await open(contracts(1)), {}, busy, unknown, away, {
      created: 0,
      replayed: 1,
    })
    assert.equal(failure, undefined)
    assert.equal(new Set(requests.map((request) => JSON.stringify(request))).size, 1)
    assert.deepEqual(last, { done: 1, created: 0, replayed: 1, written: 1, mayBeMore: false, errors: 0 })
  })

  it('stops writing at the first refusal, and counts as written what Mint reports', async () => {
    const file = await open(contracts(2_500))
    const { requests, last, wrong } = await sent(file, {}, { created: 1, replayed: 0 }, refused(300, 5))
    assert.equal(requests.length, 2)
    assert.deepEqual(last, { done: 1_001, created: 1, replayed: 0, written: 301, mayBeMore: false, errors: 3 })
    assert.deepEqual(
      wrong.map(({ line, field, code }) => [line, field, code]),
      [[6, 'serviceDate', 'period_closed']],
    )
    const closed = new ApiProblem(409, { code: 'period_closed', written: 7 })
    const ended = await sent(file, {}, { created: 1, replayed: 0 }, closed)
    assert.deepEqual([ended.failure, ended.last.written, ended.last.mayBeMore], [closed, 8, false])
    for (const failure of [new ApiProblem(401, {}), new Unreachable(undefined)]) {
      const signal = AbortSignal.abort()
      const unknown = await sent(file, { signal }, { created: 1, replayed: 0 }, failure)
      assert.deepEqual([unknown.last.written, unknown.last.mayBeMore], [1, true])
    }
  })

  it('checks every piece, and counts what earlier attempts wrote, even of pieces with errors', async () => {
    const file = await open(contracts(2_500))
    const { requests, last } = await sent(
      file,
      { isCheck: true },
      { created: 0, replayed: 1 },
      refused(300),
      refused(0),
    )
    assert.equal(requests.length, 4)
    assert.deepEqual(requests[3]?.query, { dryRun: 'true' })
    assert.deepEqual(last, { done: 2_500, created: 0, replayed: 1, written: 301, mayBeMore: false, errors: 9 })
  })

  it('is stopped by a closing with a message for people, which names no header', () => {
    const detail = 'The books are closed. Use a key with a reason in Closing-Override.'
    const shown = explain(new ApiProblem(409, { code: 'period_closed', detail }))
    assert.match(shown, /^The books are closed for the service date\. .* a reason\.$/)
    assert.doesNotMatch(shown, /Override/)
  })

  it('reports what is wrong with a row before Mint sees it, and a wrong header once', async () => {
    const file = await open(`${HEADER}\na,b,c,1\na,b "c" d,c,1,\na,b,c,1,\na,,c,1,\n`)
    const { requests, wrong } = await sent(file, { isCheck: true, mapping: [undefined, 'serviceName'] })
    assert.deepEqual(
      wrong.map(({ line, text }) => [line, text]),
      [
        [2, 'a,b,c,1'],
        [3, 'a,b "c" d,c,1,'],
        [5, 'a,,c,1,'],
      ],
    )
    assert.deepEqual(
      requests.map(({ text }) => text),
      ['serviceName\nb'],
    )
    const header = await sent(await open(contracts(2_500)), { isCheck: true }, refused(0, 1))
    assert.deepEqual([header.requests.length, header.wrong.map(({ line }) => line)], [1, [undefined]])
  })
})
