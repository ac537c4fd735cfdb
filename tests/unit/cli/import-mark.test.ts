import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { isImportUnfinished, markImport, unmarkImport } from '../../../shared/event-sourcing/unfinished-import.ts'
import { atEnd } from '../../support/cleanup.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describe('The mark of an import', () => {
  it('is set although the clock was set back since an earlier import', async () => {
    const database = await openSqliteDatabase({ file: join(newFolder(), 'contracts.db'), views: [] })
    atEnd(() => database.close())
    const first = await markImport(database, { exportId: 'first', holder: 'a' })
    assert.ok(typeof first === 'object')
    await first.release()
    await unmarkImport(database)
    assert.equal(await isImportUnfinished(database), false)
    const realNow = Date.now
    atEnd(() => {
      Date.now = realNow
    })
    Date.now = () => realNow() - 3_600_000
    assert.equal(typeof (await markImport(database, { exportId: 'second', holder: 'a' })), 'object')
    assert.equal(await isImportUnfinished(database), true)
  })
})
