import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { cleanup } from '../support/cleanup.ts'
import { startMint } from '../support/mint-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('A client generated from the document', () => {
  const later = cleanup()

  it('compiles, and takes the tour of the README', async () => {
    const folder = temporaryFolder()
    later(() => folder.remove())
    later(() => rm('docs/examples/mint-api.ts', { force: true }))
    const mint = await startMint({ dataFolder: folder.path })
    later(() => mint.kill())
    const env = { ...process.env, MINT_URL: mint.url, MINT_API_KEY: mint.key }
    const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'tour'], { env })
    assert.deepEqual(stdout.trim().split('\n').slice(-6), [
      'contract 1: 21.639175',
      'contract 1: 27.0625',
      'again: precondition_failed',
      'business: École Montréal',
      'client: École Montréal',
      'contracts found: 1',
    ])
  }).timeout(60_000)
})
