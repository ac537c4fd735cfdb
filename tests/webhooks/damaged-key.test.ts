import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mint } from '../support/command-line.ts'
import { fillFolder } from '../support/filled-folder.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('The key of webhooks in DATA_DIR', () => {
  it('is refused if it is damaged, so that nothing is sealed with an empty one', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    for (const contents of ['', '\n', 'half a key']) {
      writeFileSync(join(folder, 'webhook-key'), contents)
      const { exitCode, output, errors } = await mint(['webhooks', 'create', 'https://a.example'], { DATA_DIR: folder })
      assert.deepEqual([exitCode, output], [1, ''])
      assert.match(errors, /^The file webhook-key in DATA_DIR is damaged: restore it from a backup, or remove it, /)
    }
  })
})
