import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { MongoClient } from 'mongodb'
import { connectMongo, type MongoConnection } from '../../../shared/adapters/mongo/connection/connection.ts'
import { followMongoUrl } from '../../../shared/adapters/mongo/connection/followed-url.ts'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { createMetrics } from '../../../shared/runtime/metrics/metrics.ts'
import { createAuthority } from '../../support/certificates.ts'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { describeOn, mongoEngine } from '../../support/engines.ts'
import { parseMetrics } from '../../support/metrics.ts'
import { adminUrl, temporaryDatabase } from '../../support/mongo-database.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

type Log = { readonly _id: 'format'; readonly number: number; readonly log?: string }

describeOn(mongoEngine(), 'A changed MongoDB connection string', (url) => {
  /** A different connection string for the same server. */
  const named = (appName: string, more = '') => `${url}${url.includes('?') ? '&' : '/?'}appName=${appName}${more}`

  async function follow() {
    const [name, mongoUrlFile] = [temporaryDatabase(url), `${newFolder()}/mongo-url`]
    const { logger, lines } = collectingLogger()
    const metrics = createMetrics(logger)
    writeFileSync(mongoUrlFile, url)
    const surroundings = { logger, metrics, atEnd, pollMilliseconds: 20 }
    const followed = await followMongoUrl({ mongoUrl: url, mongoUrlFile }, surroundings)
    const database = atEnd.close(await openMongoDatabase({ url: followed, name, views: [], viewsFolder: newFolder() }))
    const client = atEnd.close(new MongoClient(adminUrl(url)))
    /** Writes a connection string to the file, and returns the next line of the log. */
    async function write(text: string): Promise<string> {
      const count = lines.length
      writeFileSync(mongoUrlFile, text)
      await waitFor(() => lines.length > count, { what: 'a line' })
      return String(lines[count]?.msg).replace(mongoUrlFile, 'FILE')
    }
    const unusable = async () =>
      parseMetrics((await metrics.read()).text).value('mint_files_unusable', { use: 'mongo' })
    return { name, lines, followed, database, write, unusable, formats: client.db(name).collection<Log>('format') }
  }

  it('is refused while the server lacks the database, or its database has another log', async () => {
    const { name, lines, followed, database, write, unusable, formats } = await follow()
    const log = await formats.findOneAndDelete({ _id: 'format' })
    assert.ok(log)
    const refused = (what: string) =>
      `changed files can’t be used, the previous ones stay in use: MONGO_URL_FILE names a server that has ${what} database ${name}: ` +
      'name the one in use, or restart Mint to use it'
    assert.equal(await write(named('absent')), refused('no'))
    assert.deepEqual([await unusable(), followed.current()], [1, url])
    await formats.insertOne({ ...log, log: 'another' })
    assert.equal(await write(named('another')), refused('another'))
    assert.deepEqual([await unusable(), followed.current()], [1, url])
    await database.checkWritable()
    await formats.replaceOne({ _id: 'format' }, log)
    await waitFor(() => lines.length > 3, { what: 'the connection string to be in use' })
    assert.deepEqual(
      lines.slice(2).map(({ msg }) => msg),
      ['connected with the changed MONGO_URL or certificates', 'changed files are in use'],
    )
    assert.equal(followed.current(), named('another'))
    await waitFor(async () => (await unusable()) === 0, { what: 'the metric to say so' })
    await database.checkWritable()
  })

  it('replaces the connections of databases that are opened while it is tried', async () => {
    const { name, followed, write } = await follow()
    const opened: MongoConnection[] = []
    followed.replacements.add(async () => {
      opened.push(atEnd.close(await connectMongo(followed, name)))
      return { use: () => undefined, cancel: async () => undefined }
    })
    assert.equal(
      await write(named('x', '&localThresholdMS=99')),
      'connected with the changed MONGO_URL or certificates',
    )
    assert.deepEqual(
      opened.map(({ db }) => db.client.options.localThresholdMS),
      [99],
    )
  })

  it('ends an attempt to open a database that began with the former one', async () => {
    const strings = [url, named('changed')]
    const changing = { current: () => strings.shift() ?? named('changed'), replacements: new Set<never>() }
    await assert.rejects(
      openMongoDatabase({ url: changing, name: temporaryDatabase(url), views: [], viewsFolder: newFolder() }),
      {
        name: 'StoreUnavailable',
        message: 'MONGO_URL has changed while MongoDB was being connected',
      },
    )
    assert.equal(changing.replacements.size, 0)
  })

  it('is refused if it names other TLS files, which would not be watched', async () => {
    const { followed, write, unusable } = await follow()
    const ca = createAuthority(newFolder(), 'ca').cert
    const reason = 'MONGO_URL_FILE=FILE names other TLS files than at the start: restart to use other file names'
    const line = `changed files can’t be used, the previous ones stay in use: ${reason}`
    const other = /tlsCAFile=[^&]*/.test(url)
      ? url.replace(/tlsCAFile=[^&]*/, `tlsCAFile=${ca}`)
      : named('tls', `&tls=true&tlsCAFile=${ca}`)
    assert.equal(await write(other), line)
    assert.deepEqual([await unusable(), followed.current()], [1, url])
  })
})
