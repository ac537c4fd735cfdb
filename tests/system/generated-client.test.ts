import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { freePort } from '../support/free-port.ts'
import { sharedMint } from '../support/mint-process.ts'

describe('A client generated from the OpenAPI document', () => {
  const mint = sharedMint()
  after(() => rm('docs/examples/mint-api.ts', { force: true }))

  it('compiles, and completes the tour of the README', async () => {
    const env = { ...process.env, MINT_URL: mint().url, MINT_API_KEY: mint().key }
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'tour'], { env })
    assert.deepEqual(stdout.trim().split('\n').slice(-7), [
      'contract 1: 21.639175',
      'contract 1: 27.0625',
      'again: precondition_failed',
      'business: École Montréal',
      'client: École Montréal',
      'contracts found: 1',
      'billed this month: 27.06',
    ])
  })

  it('reports in one line what is missing: a running Mint, a key, or a valid key', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`
    for (const [settings, stderr] of [
      [{ MINT_URL: mint().url, MINT_API_KEY: '' }, /^Set MINT_API_KEY to the key that `npm start` printed\.\n$/],
      [
        { MINT_URL: nobody, MINT_API_KEY: mint().key },
        /^No Mint answers at http:\S+: start one with `npm start`, .*\n$/,
      ],
      [{ MINT_URL: mint().url, MINT_API_KEY: `${mint().key}!` }, /^The Mint at \S+ refuses MINT_API_KEY: .+\n$/],
    ] as const) {
      const tour = promisify(execFile)('npm', ['run', '--silent', 'tour'], { env: { ...process.env, ...settings } })
      await assert.rejects(tour, (error: { stderr: string; stdout: string }) => {
        assert.equal(error.stdout, '')
        assert.match(error.stderr.replace(/^npm warn .*\n/gm, ''), stderr)
        return true
      })
    }
  })
})
