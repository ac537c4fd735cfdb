import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { atEnd } from '../../support/cleanup.ts'
import { mint } from '../../support/command-line.ts'
import { newFolder } from '../../support/temporary-folder.ts'

/** A status and a body. */
type Answer = readonly [number, string]

const WRITTEN: Answer = [200, '{"created":1,"replayed":0}']
const CLOSED: Answer = [409, '{"code":"period_closed","detail":"Closed.","written":0}']
const BROKEN: Answer = [500, '{"code":"internal_error","detail":"Something went wrong."}']
const BUSY: Answer = [503, '{"code":"unavailable","detail":"Try again."}']
const RESUMES = 'Don’t change the file: .* run the same command again, which resumes\\.\\n$'

describe('mint import-csv', () => {
  /** Imports two rows, of which the first is sent alone, into a server that gives these answers to writes. */
  async function importInto(answers: readonly Answer[], check = WRITTEN) {
    const writes = [...answers]
    const server = createServer((req, res) => {
      const [status, body] = (req.url?.includes('dryRun') ? check : writes.shift()) ?? WRITTEN
      res.writeHead(status, { 'Retry-After': '0' }).end(body)
    })
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port))
    })
    atEnd(() => server.close())
    const file = join(newFolder(), 'file.csv')
    writeFileSync(file, 'legalName\nA\nB\n')
    const environment = { MINT_URL: `http://127.0.0.1:${port}`, MINT_API_KEY: 'mint_import-csv-0123456789abcdef' }
    return await mint(['import-csv', 'businesses', file], environment)
  }

  for (const [what, answers, says] of [
    ['a closing', [WRITTEN, CLOSED], 'The books were closed while .*\\.\\n1 of the 2 rows .* is written, and stays\\.'],
    ['a failure', [WRITTEN, BROKEN], 'Something went wrong\\.\\nAt least 1 of the 2 rows .* is written, and stays\\.'],
    ['a failure of the first row', [BROKEN], 'Something went wrong\\.\\nRows may be written\\.'],
  ] as const) {
    it(`says after ${what} what is written, and how to resume`, async () => {
      const { exitCode, errors } = await importInto(answers)
      assert.equal(exitCode, 1)
      assert.match(errors, new RegExp(`^${says} ${RESUMES}`))
    })
  }

  it('sends rows again while Mint is too busy, and counts each once', async () => {
    const { exitCode, output } = await importInto([BUSY, WRITTEN, BUSY, [429, BUSY[1]]])
    assert.deepEqual([exitCode, output], [0, 'Created 2 businesses.\n'])
  })

  it('recognises a server that isn’t a Mint before it sends a row to be written', async () => {
    const { exitCode, errors } = await importInto([], [404, '<html>'])
    assert.equal(exitCode, 1)
    assert.match(errors, /^http:\S+ is not a Mint: it answered 404\. Set MINT_URL to the address of one\.\n$/)
  })

  it('says where to put another key, rather than in which header', async () => {
    const { exitCode, errors } = await importInto([], [401, '{"code":"invalid_api_key","detail":"Send the header."}'])
    assert.equal(exitCode, 1)
    assert.match(errors, /^Mint at http:\S+ knows no such key: set MINT_API_KEY to one that is valid there\.\n$/)
  })
})
