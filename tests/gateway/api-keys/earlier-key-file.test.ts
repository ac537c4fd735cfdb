import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.ts'
import { SCOPES } from '../../../shared/api-keys/scopes.ts'
import { generateSecret, hashSecret } from '../../../shared/api-keys/secret.ts'
import { takeOverEarlierKey } from '../../../shared/api-keys/serving/earlier-key-file.ts'
import { apiKeyViews } from '../../../shared/api-keys/view.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import { newUuid } from '../../../shared/ids.ts'
import { cleanup } from '../../support/cleanup.ts'
import { startKeysGateway } from '../../support/keys-gateway.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

describe('The key file of an earlier version', () => {
  const atEnd = cleanup()
  const secret = generateSecret()
  const kept = { id: newUuid(), name: 'first', sha256: hashSecret(secret), createdAt: 1_000 }

  async function newFolder() {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    const data = temporaryFolder()
    atEnd(() => data.remove())
    const database = await openSqliteDatabase({ file: join(data.path, 'gateway.db'), views: apiKeyViews })
    atEnd(() => database.close())
    const file = join(folder.path, 'api-key.json')
    const write = () => writeFileSync(file, JSON.stringify(kept))
    return { folder: folder.path, file, database, write, takeOver: () => takeOverEarlierKey(folder.path, database) }
  }

  it('is taken over under the same id and time, and then gone', async () => {
    const { folder, file, database, write, takeOver } = await newFolder()
    write()
    writeFileSync(`${file}.new`, '{"id":')
    await takeOver()
    assert.deepEqual(readdirSync(folder), [])
    const gateway = await startKeysGateway(database)
    atEnd(() => gateway.stop())
    const { status, body } = await gateway.as(secret)('GET', `/api-keys/${kept.id}`)
    const createdAt = '1970-01-01T00:00:01.000Z'
    const dates = { createdAt, expiresAt: null, lastUsedAt: null, revokedAt: null }
    assert.deepEqual([status, body], [200, { id: kept.id, name: 'first', scopes: [...SCOPES], ...dates }])
  })

  it('is taken over once, also when a crash came before it was removed and the key was revoked since', async () => {
    const { file, database, write, takeOver } = await newFolder()
    write()
    await takeOver()
    const gateway = await startKeysGateway(database)
    atEnd(() => gateway.stop())
    assert.equal((await gateway.call('DELETE', `/api-keys/${kept.id}`)).status, 204)
    write()
    await takeOver()
    assert.ok(!existsSync(file))
    const types = (await database.events.readAll(BEGINNING, 10)).map(({ type }) => type)
    assert.deepEqual(types, ['ApiKeyCreated.v1', 'ApiKeyRevoked.v1'])
    assert.equal((await gateway.as(secret)('GET', '/contracts')).status, 401)
  })

  it('is not missed where there is none', async () => {
    const { database, takeOver } = await newFolder()
    await takeOver()
    assert.equal(await database.events.head(), BEGINNING)
  })

  it('is reported when it is damaged, and left as it is', async () => {
    const { file, takeOver } = await newFolder()
    for (const text of ['', '{', '{}', 'null', '{"id":"x","name":"first","sha256":"y","createdAt":1}']) {
      writeFileSync(file, text)
      await assert.rejects(takeOver, /is damaged/)
      assert.equal(readFileSync(file, 'utf8'), text)
    }
  })
})
