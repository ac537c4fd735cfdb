import assert from 'node:assert/strict'
import { MongoClient } from 'mongodb'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { adminUrl, temporaryDatabase } from '../../support/mongo-database.ts'
import { newFolder } from '../../support/temporary-folder.ts'

describeOn(mongoEngine(), 'A MongoDB database that a newer Mint has written', (url) => {
  it('is refused in one line, and left unchanged', async () => {
    const options = { url, name: temporaryDatabase(url), views: [], viewsFolder: newFolder() }
    await (await openMongoDatabase(options)).close()
    const client = atEnd.close(new MongoClient(adminUrl(url)))
    const formats = client.db(options.name).collection<{ _id: 'format'; number: number }>('format')
    await formats.updateOne({ _id: 'format' }, { $set: { number: 99 } })
    const before = await formats.find().toArray()
    await assert.rejects(openMongoDatabase(options), {
      message: /^The database \S+ has format 99, .* up to \d+: use the newer Mint that wrote it\.$/,
    })
    assert.deepEqual(await formats.find().toArray(), before)
  })
})
