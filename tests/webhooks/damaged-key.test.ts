import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sealingIn } from '../../cli/start/webhook-key.ts'
import { atEnd } from '../support/cleanup.ts'
import { mint } from '../support/command-line.ts'
import { fillFolder } from '../support/filled-folder.ts'
import { describeWithSmallDisks, smallDisk } from '../support/small-disk.ts'
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

describeWithSmallDisks('The key of webhooks on a full disk', () => {
  it('is made once there is room; until then, webhooks are unavailable', () => {
    const disk = atEnd.remove(smallDisk(4))
    const sealing = sealingIn(disk.path, undefined)
    disk.fill()
    assert.throws(sealing, { name: 'CodedError', code: 'unavailable' })
    disk.makeRoom()
    assert.equal(sealing().open(sealing().seal('secret', 'id'), 'id'), 'secret')
  })
})
