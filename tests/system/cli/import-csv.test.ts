import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { atEnd } from '../../support/cleanup.ts'
import { createClients } from '../../support/clients.ts'
import { type CommandEnd, jsonLines, mint as runCommand } from '../../support/command-line.ts'
import { freePort } from '../../support/free-port.ts'
import { type MintProcess, runMint, sharedMint, startedMint } from '../../support/mint-process.ts'
import { type Rest, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const KEY = 'mint_import-csv-0123456789abcdef'

/** Part of a command for `runInShell`. */
const IMPORT = '"$0" cli/launch.js import-csv businesses'

describe('mint import-csv', () => {
  const running = sharedMint({ environment: { MINT_API_KEY: KEY } })
  const shared = () => ({ mint: running(), call: restClient(running()) })

  function newFile(text: string): string {
    const file = join(newFolder(), 'file.csv')
    writeFileSync(file, text)
    return file
  }

  const run = (
    { url, key = KEY }: { readonly url: string; readonly key?: string },
    ...words: readonly string[]
  ): Promise<CommandEnd> => runCommand(['import-csv', ...words], { MINT_URL: url, MINT_API_KEY: key })

  /** Runs a shell command, in which $0 is this Node and $1 the file. */
  function runInShell({ url }: MintProcess, line: string, file: string, more: Readonly<Record<string, string>> = {}) {
    const environment = { MINT_URL: url, MINT_API_KEY: KEY, ...more }
    const run = runMint({ dataFolder: newFolder(), environment, command: ['bash', '-c', line, process.execPath, file] })
    atEnd(run.kill)
    return run
  }

  const businesses = (count: number): string =>
    Array.from({ length: count }, (_, index) => `"Firm ${index},\nInc",\r\n`).join('')

  const totalOf = async (call: Rest, path: string): Promise<number> => (await call('GET', path)).body.total

  it('creates a record for each row, with columns of any name', async () => {
    const { mint, call } = shared()
    const [clientId] = await createClients(call, 'École')
    const ofClient = () => totalOf(call, `/contracts?clientId=${clientId}`)
    const file = newFile(
      '\ufeffKunde;Leistung;serviceType;serviceFee;Nr.\nécole;Abschluss; jährlich;19.99;1\n\nÉCOLE;Lohn;monatlich;5;2\n',
    )
    const maps = ['Kunde=client', 'Leistung=serviceName', 'Nr.='].flatMap((map) => ['--map', map])
    const words = ['contracts', file, ...maps]
    assert.deepEqual(await run(mint, ...words, '--dry-run'), {
      exitCode: 0,
      output: '2 rows are valid. Nothing was written.\n',
      errors: '',
    })
    assert.equal(await ofClient(), 0)
    assert.equal((await run(mint, ...words)).output, 'Created 2 contracts.\n')
    const again = await run(mint, ...words, '--json')
    assert.deepEqual(jsonLines(again.output), [{ rows: 2, created: 0, replayed: 2 }])
    assert.equal(await ofClient(), 2)
    assert.equal((await run(mint, ...words, '--key', 'march')).output, 'Created 2 contracts.\n')
    assert.equal(await ofClient(), 4)
  })

  it('reports every invalid row of a file that takes many requests, and writes nothing', async () => {
    const { mint, call } = shared()
    const before = await totalOf(call, '/businesses')
    // Each row takes two lines.
    const file = newFile(`legalName,email\n${businesses(1_500)}x,wrong\n${businesses(1_000)},a@b.example\n`)
    const { exitCode, errors, output } = await run(mint, 'businesses', file)
    assert.deepEqual([exitCode, output], [1, ''])
    assert.deepEqual(
      errors.split('\n').map((line) => line.split(': ', 2).join(' ')),
      ['line 3002 email', 'line 5003 legalName', 'Correct the file, and import it again.', ''],
    )
    assert.equal(await totalOf(call, '/businesses'), before)
  })

  it('refuses a file that can’t be read to its end, before it writes anything', async () => {
    const { mint, call } = shared()
    const before = await totalOf(call, '/businesses')
    const file = newFile(`legalName,phone\n${'A,1\n'.repeat(2_500)}B,2\rC,3\n`)
    const errors =
      'line 2502: Has a CR without LF, as in “CSV (Macintosh)”. Lines must end in LF or CRLF: save the file that way, for example as “CSV UTF-8”.\n'
    assert.deepEqual(await run(mint, 'businesses', file), { exitCode: 1, output: '', errors })
    assert.equal(await totalOf(call, '/businesses'), before)
  })

  it('resumes after Mint or the command was killed, and creates nothing twice', async () => {
    const dataFolder = newFolder()
    const PORT = `${await freePort()}`
    const start = () => startedMint({ dataFolder, environment: { MINT_API_KEY: KEY, PORT } })
    const mint = await start()
    const call = restClient(mint)
    const file = newFile(`legalName,email\n${businesses(4_000)}`)
    const environment = { MINT_URL: mint.url, MINT_API_KEY: KEY }
    const command = [process.execPath, 'cli/launch.js', 'import-csv', 'businesses', file] as const
    const killed = runMint({ dataFolder, environment, command })
    await waitFor(async () => (await totalOf(call, '/businesses?limit=1')) > 1_000, { what: 'rows' })
    await killed.kill()
    const running = runMint({ dataFolder, environment, command })
    // More than the pending request can still have written.
    const before = await totalOf(call, '/businesses?limit=1')
    const resumed = async () => (await totalOf(call, '/businesses?limit=1')) > before + 1_000
    await waitFor(resumed, { what: 'more rows' })
    await mint.kill()
    await start()
    const { exitCode, errors, output } = await running.ended
    assert.deepEqual([exitCode, errors], [0, ''])
    assert.match(output, /^Created \d+ business(es)?; \d+ were there from an earlier run of the same import\.\n$/)
    assert.equal(await totalOf(call, '/businesses?limit=1'), 4_000)
    assert.equal((await runCommand(['verify'], { DATA_DIR: dataFolder })).exitCode, 0)
  })

  it('writes rows into closed periods only with a reason, which their history shows', async () => {
    const { mint, call } = shared()
    await call('PUT', '/closing', { closedThrough: '2026-03-31', reason: 'March is filed.' })
    const row = '11111111-1111-1111-1111-111111111111,Audit,yearly,-19.99,2026-03-10\n'
    const file = newFile(`clientId,serviceName,serviceType,serviceFee,serviceDate\n${row}`)
    const without = await run(mint, 'contracts', file)
    assert.equal(without.exitCode, 1)
    assert.match(without.errors, /^line 2: serviceDate: The books are closed through 2026-03-31\..* a reason/)
    assert.match(without.errors, /\nNothing was written\. Give a reason in --override-closing, .* import it again\.\n$/)
    const mixed = await run(mint, 'contracts', newFile(`${readFileSync(file, 'utf8')}${row.replace('-19.99', 'x')}`))
    assert.match(mixed.errors, /\nCorrect the file, and import it again\.\n$/)
    const blank = await run(mint, 'contracts', file, '--override-closing', ' ')
    assert.match(blank.errors, /^--override-closing: /)
    const reason = ['--override-closing', 'Spät: 100 %'] as const
    assert.match((await run(mint, 'contracts', file, ...reason, '--dry-run')).output, /Nothing was written/)
    assert.equal((await run(mint, 'contracts', file, ...reason)).output, 'Created 1 contract.\n')
    const [{ id }] = (await call('GET', '/contracts?limit=1')).body.contracts
    assert.equal((await call('GET', `/contracts/${id}/history`)).body.events[0].overrideReason, 'Spät: 100 %')
    const scopes = ['contracts:read', 'contracts:write']
    const { key } = (await call('POST', '/api-keys', { name: 'Clerk', scopes })).body
    const refused = await run({ ...mint, key }, 'contracts', file, ...reason)
    assert.match(refused.errors, /lacks the scope closing:override/)
    await call('PUT', '/closing', { closedThrough: null, reason: 'Over.' })
  })

  for (const [min, where] of [
    [0, 'the first thousand'],
    [1_500, 'a later thousand'],
  ] as const) {
    it(`reports after a closing during ${where} how many rows were written, and that the same file resumes`, async () => {
      const { mint, call } = shared()
      const { clientId } = (await call('POST', '/businesses', { legalName: 'A' })).body
      // Unlike the other one, this key may not write in closed books.
      const scopes = ['contracts:read', 'contracts:write']
      const { key } = (await call('POST', '/api-keys', { name: 'Clerk', scopes })).body
      const row = `${clientId},Audit,yearly,19.99,2026-03-10\n`
      const file = newFile(`clientId,serviceName,serviceType,serviceFee,serviceDate\n${row.repeat(4_000)}`)
      const total = () => totalOf(call, `/contracts?clientId=${clientId}&limit=1`)
      const words = ['contracts', file] as const
      const running = run({ ...mint, key }, ...words, '--json')
      await waitFor(async () => (await total()) > min, { what: 'rows' })
      await call('PUT', '/closing', { closedThrough: '2026-03-31', reason: 'March is filed.' })
      const first = await running
      const written = await total()
      assert.ok(written > min && written < 4_000, `${written}`)
      assertResumable(first, written)

      for (const more of [[], ['--dry-run']]) {
        const second = await run({ ...mint, key }, ...words, '--json', ...more)
        assertResumable(second, written)
        assert.match(second.errors, /^line \d+: serviceDate: The books are closed/)
      }
      assert.equal(await total(), written)

      await call('PUT', '/closing', { closedThrough: null, reason: 'Not yet.' })
      const third = await run({ ...mint, key }, ...words, '--json')
      assert.deepEqual(jsonLines(third.output), [{ rows: 4_000, created: 4_000 - written, replayed: written }])
      assert.equal(await total(), 4_000)
    })
  }

  /** Asserts that the command reports `expected` written rows, and how to resume. */
  function assertResumable({ exitCode, output, errors }: CommandEnd, expected: number): void {
    const [, count = ''] =
      /^([\d,]+) of the 4,000 rows of this import (?:is written, and stays|are written, and stay)\. Don’t change the file: .* run the same command again/m.exec(
        errors,
      ) ?? []
    const written = Number(count.replace(',', ''))
    assert.equal(written, expected, errors)
    assert.doesNotMatch(errors, /Idempotency-Key|Correct the file/)
    const [{ error, rows, written: inJson }] = jsonLines(output) as [Record<string, unknown>]
    assert.deepEqual([exitCode, rows, inJson], [1, 4_000, written])
    assert.ok(errors.endsWith(`${error}\n`))
  }

  it('prints one JSON value at the end on request, even when it fails', async () => {
    const { mint } = shared()
    const endOf = async (...words: readonly string[]) => {
      const { exitCode, output, errors } = await run(mint, ...words, '--json')
      return { exitCode, values: jsonLines(output), lastError: errors.split('\n').at(-2) }
    }
    const refused = 'Correct the file, and import it again.'
    assert.deepEqual(await endOf('businesses', newFile('legalName,email\nA,\n,wrong\nC,wrong\n')), {
      exitCode: 1,
      values: [{ error: refused, rows: 3, written: 0, wrong: 3 }],
      lastError: refused,
    })
    const empty = newFile('')
    const error = 'The file is empty. Its first line must name the columns.'
    assert.deepEqual(await endOf('businesses', empty), { exitCode: 1, values: [{ error }], lastError: error })
    for (const [name, value] of [
      ['MINT_API_KEY', 'short'],
      ['MINT_URL', 'nope'],
    ] as const) {
      const { errors, output } = await runInShell(mint, `${IMPORT} "$1" --json`, empty, { [name]: value }).ended
      assert.deepEqual(jsonLines(output), [{ error: errors.trim() }])
    }
    assert.deepEqual(await endOf('businesses', newFile('legalName\nA\n')), {
      exitCode: 0,
      values: [{ rows: 1, created: 1, replayed: 0 }],
      lastError: undefined,
    })
  })

  it('refuses another file under the name of an import, and explains how to resume that import', async () => {
    const { mint, call } = shared()
    const before = await totalOf(call, '/businesses')
    const words = ['--key', 'march'] as const
    assert.equal((await run(mint, 'businesses', newFile('legalName\nA\nB\n'), ...words)).exitCode, 0)
    const { exitCode, output, errors } = await run(mint, 'businesses', newFile('legalName\nA\nC\n'), ...words)
    assert.deepEqual([exitCode, output], [1, ''])
    assert.match(
      errors,
      /^This file was imported before, .* or another file was imported under this --key\. To resume, use .*\n$/,
    )
    assert.equal(await totalOf(call, '/businesses'), before + 2)
  })

  it('says what to do if a disk fails, or if a line never ends', async () => {
    const { mint } = shared()
    // What a process reads first of its own memory is never there.
    const broken = await run(mint, 'businesses', '/proc/self/mem')
    const problem = '/proc/self/mem can’t be read (EIO: i/o error, read): name a file that you may read.\n'
    assert.deepEqual([broken.exitCode, broken.errors], [1, problem])
    const endless = await run(mint, 'businesses', '/dev/zero')
    assert.equal(endless.exitCode, 1)
    assert.match(endless.errors, /^line 1: The row has more than 1,000,000 bytes/)
  })

  it('reads a pipe as well as a file, and resumes from either', async () => {
    const { mint, call } = shared()
    const before = await totalOf(call, '/businesses?limit=1')
    const file = newFile(`legalName,email\n${businesses(1_100)}`)
    const pipe = join(newFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    const first = await runInShell(mint, `${IMPORT} <(cat "$1")`, file).ended
    assert.deepEqual(first, { exitCode: 0, output: 'Created 1100 businesses.\n', errors: '' })
    const replayed = 'Created 0 businesses; 1100 were there from an earlier run of the same import.\n'
    for (const line of [
      `cat "$1" | ${IMPORT} -`,
      `${IMPORT} - < "$1"`,
      `${IMPORT} ${pipe} & cat "$1" > ${pipe}; wait $!`,
      `${IMPORT} "$1"`,
    ]) {
      assert.deepEqual(await runInShell(mint, line, file).ended, { exitCode: 0, output: replayed, errors: '' }, line)
    }
    assert.equal(await totalOf(call, '/businesses?limit=1'), before + 1_100)
  })

  it('refuses the same file with other columns, rather than writing it twice', async () => {
    const { mint, call } = shared()
    const before = await totalOf(call, '/businesses')
    const file = newFile('Name,Trade\nA,B\n')
    const words = ['businesses', file, '--map', 'Name=legalName', '--map'] as const
    assert.equal((await run(mint, ...words, 'Trade=operatedAs')).exitCode, 0)
    assert.match((await run(mint, ...words, 'Trade=phone')).errors, /^This file was imported before, .* other columns/)
    assert.equal(await totalOf(call, '/businesses'), before + 1)
  })

  it('exits on a signal while it waits for a pipe', async () => {
    const { mint } = shared()
    const pipe = join(newFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const [signal, exitCode] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const line = 'exec "$0" cli/launch.js import-csv businesses "$1"'
      const waiting = runInShell(mint, line, pipe)
      // This returns once the command has opened the pipe. Without a line feed, it has to wait for more.
      const writer = await open(pipe, 'w')
      await writer.write('legalName')
      waiting.signal(signal)
      assert.equal((await waiting.ended).exitCode, exitCode)
      await writer.close()
    }
  })

  it('reports what is missing or wrong', async () => {
    const { mint } = shared()
    const file = newFile('legalName\nA\n')
    const withoutKey = await runCommand(['import-csv', 'businesses', file], { MINT_URL: mint.url })
    assert.match(withoutKey.errors, /^Set MINT_API_KEY/)
    const wrongKey = `mint_${'x'.repeat(36)}`
    for (const [of, words, exitCode, errors] of [
      [{ url: mint.url, key: wrongKey }, ['businesses', file], 1, /knows no such key: set MINT_API_KEY/],
      [{ url: 'http://127.0.0.1:1' }, ['businesses', file], 1, /^No Mint answers at/],
      [
        { url: mint.url.replace('http:', 'https:') },
        ['businesses', file],
        1,
        /^No Mint answers at https:\S+ \(.*SSL.*\): start it, or set MINT_URL to its address\.\n$/,
      ],
      [
        mint,
        ['businesses', file, '--map', 'Firma=legalName'],
        2,
        /^--map Firma: The file has no such column\. It has: legalName\.\n$/,
      ],
      [mint, ['businesses', `${file}.not`], 1, /can’t be read \(ENOENT.*\): name a file that you may read\.\n$/],
      [mint, ['businesses', newFile('')], 1, /is empty/],
      [mint, ['businesses', newFolder()], 1, /can’t be read \(it is a folder\): name a file that you may read\.\n$/],
      [mint, ['clients', file], 2, /./],
      [mint, ['businesses', file, '--map', 'x'], 2, /./],
    ] as const) {
      const ended = await run(of, ...words)
      assert.equal(ended.exitCode, exitCode, words.join(' '))
      assert.match(ended.errors, errors)
    }
  })
})
