import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import { lockFolder } from '../../../shared/adapters/sqlite/file/folder-lock.main.ts'
import { takeViewFolder } from '../../../shared/adapters/sqlite/following/view-folder.main.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import { atEnd } from '../../support/cleanup.ts'
import { append, appendAll, assertViewEqualsLog, created, edited, jobs, noted, wholeLog } from '../../support/jobs.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const lockHolder = fileURLToPath(new URL('../../support/lock-holder.ts', import.meta.url))

describe('SQLite folder lock', () => {
  it('refuses a second process with a one-line message until the first is killed', async () => {
    const folder = newFolder()
    const first = fork(lockHolder, [folder])
    atEnd(() => first.kill('SIGKILL'))
    assert.deepEqual(await once(first, 'message'), ['locked', undefined])
    assert.throws(() => lockFolder(folder), {
      message: `another Mint, or a command, is using the folder ${folder}: stop it, or choose another folder (DATA_DIR).`,
    })
    first.kill('SIGKILL')
    await once(first, 'exit')
    lockFolder(folder).release()
  })

  it('refuses a second lock in the same process until the first is released', () => {
    const folder = newFolder()
    const lock = lockFolder(join(folder, 'made', 'with it'))
    assert.throws(() => lockFolder(join(folder, 'made', 'with it')), /another Mint, or a command, is using/)
    lock.release()
    lock.release()
    lockFolder(join(folder, 'made', 'with it')).release()
  })

  it('refuses a lock file that this user may only read, which SQLite would share', async () => {
    const folder = newFolder()
    chmodSync(folder, 0o777)
    writeFileSync(join(folder, 'lock'), '', { mode: 0o444 })
    // Root may write every file.
    const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const holder = fork(lockHolder, [folder], { ...nobody, silent: true })
    atEnd(() => holder.kill('SIGKILL'))
    assert.ok(holder.stderr)
    const outcome = await Promise.race([once(holder, 'message'), text(holder.stderr)])
    assert.match(String(outcome), /can't be written \(EACCES/)
  })

  it('creates a folder that no other user can read, whatever the umask', () => {
    const umask = process.umask(0o022)
    atEnd(() => process.umask(umask))
    const folder = join(newFolder(), 'made')
    lockFolder(folder).release()
    assert.equal(statSync(folder).mode & 0o777, 0o700)
  })

  it('reports in one line that a folder cannot be created', () => {
    const folder = newFolder()
    writeFileSync(join(folder, 'file'), '')
    // In /proc, Node's own recursive mkdir never returns.
    for (const missing of [join(folder, 'file', 'folder'), '/proc/missing/folder']) {
      assert.throws(() => lockFolder(missing), /^Error: the folder .* can't be written .*\S$/)
      assert.throws(() => takeViewFolder(missing, 'views', [jobs]), /^Error: VIEWS_DIR can't be used: the folder .*\S$/)
    }
  })
})

describe('SQLite file', () => {
  let path: string
  let file: string
  beforeEach(() => {
    path = newFolder()
    file = join(path, 'test.db')
  })
  const open = async () => atEnd.close(await openSqliteDatabase({ file, views: [jobs] }))

  it('is complete on its own once closed, ready to be copied', async () => {
    const database = await open()
    await appendAll(database, [created('1'), created('2')])
    await database.close()
    await database.close()
    assert.deepEqual(readdirSync(path), ['test.db'])
  })

  it('is refused in one line if it is not a Mint database, has a newer format or can’t be opened', async () => {
    const refused: Record<string, RegExp> = {}
    refused[writeText(file, 'not a database, but long enough to be taken for the header of one'.repeat(20))] =
      /is not a database of Mint/
    refused[writeSql(join(path, 'foreign.db'), 'CREATE TABLE other (a); PRAGMA user_version = 1')] =
      /is not a database of Mint/
    await (await openSqliteDatabase({ file: join(path, 'newer.db'), views: [] })).close()
    refused[writeSql(join(path, 'newer.db'), 'PRAGMA user_version = 99')] = /has format 99, this version of Mint reads/
    refused[join(path, 'no such folder', 'x.db')] = /can't be opened for writing/
    for (const [name, message] of Object.entries(refused)) {
      await assert.rejects(openSqliteDatabase({ file: name, views: [] }), (error: Error) => {
        assert.match(error.message, message)
        assert.ok(error.message.startsWith(name) && !error.message.includes('\n'), error.message)
        return true
      })
    }
  })

  it('left by a crash in the middle of a rebuild is cleared of the unfinished tables', async () => {
    const database = await open()
    await append(database, created('1'))
    await database.close()
    writeSql(
      file,
      `CREATE TABLE view_jobs_2 (key INTEGER PRIMARY KEY, id INTEGER NOT NULL UNIQUE) STRICT;
       INSERT INTO view_jobs_2 VALUES (1, 1);
       CREATE TABLE view_jobs_2_versions_late (number INTEGER PRIMARY KEY) STRICT`,
    )
    const again = await open()
    await assertViewEqualsLog(again)
    await append(again, created('2'))
    await assertViewEqualsLog(again)
    await again.close()
    const connection = atEnd.close(new DatabaseSync(file))
    assert.deepEqual(connection.prepare(`SELECT name FROM sqlite_schema WHERE name GLOB 'view_jobs_2*'`).all(), [])
  })

  it('of release 0.1 opens with all its data, and its views are rebuilt', async () => {
    const database = await open()
    await append(database, created('1'))
    const row = await append(database, created('2'))
    assert.equal(await database.sequence('job').next(), 1)
    await database.close()
    writeSql(
      file,
      `DROP TABLE views; DROP TABLE applied; DROP TABLE documents; DROP TABLE view_jobs_1_snapshots;
       CREATE TABLE views (name TEXT NOT NULL, generation INTEGER NOT NULL, schema INTEGER NOT NULL,
         checkpoint INTEGER NOT NULL, active INTEGER NOT NULL, PRIMARY KEY (name, generation)) STRICT;
       INSERT INTO views VALUES ('jobs', 1, 1, 2, 1);
       ALTER TABLE view_jobs_1_counts ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
       UPDATE view_jobs_1 SET state = '{}';
       ALTER TABLE events DROP COLUMN traceparent;
       PRAGMA user_version = 3`,
    )
    const again = await open()
    await assertViewEqualsLog(again)
    assert.equal(await again.sequence('job').next(), 2)
    await append(again, edited(row, { title: 'Edited' }))
    await assertViewEqualsLog(again)
  })

  it('refuses a commit without a row for a view of its category, and writes nothing', async () => {
    const database = await open()
    await assert.rejects(database.events.append(noted('1', 0, { rows: [] })), /no row for the view jobs/)
    assert.deepEqual(await wholeLog(database), [])
  })

  it('that was moved or replaced is not written to until it is restored', async () => {
    const database = await open()
    await append(database, created('1'))
    const away = `${file}.away`
    renameSync(file, away)
    const refused = { name: 'StoreUnavailable', message: /moved or removed/ }
    await assert.rejects(database.events.append(created('2')), refused)
    await assert.rejects(database.checkWritable(), { name: 'StoreUnavailable' })
    writeText(file, '')
    await assert.rejects(database.events.append(created('2')), refused)
    renameSync(away, file)
    await append(database, created('2'))
    await assertViewEqualsLog(database)
    assert.equal((await wholeLog(database)).length, 2)
  })

  it('accepts appends only from the database that opened it last, and keeps all earlier ones', async () => {
    const first = await open()
    let acknowledged = 0
    const load = (async () => {
      for (let id = 1; ; id++) {
        const outcome = await first.events.append(created(`${id}`)).catch(({ name }) => ({ type: name }))
        if (outcome.type === 'StoreUnavailable') return
        assert.equal(outcome.type, 'appended')
        acknowledged = id
      }
    })()
    await waitFor(() => acknowledged > 20, { what: 'appends' })
    const second = await open()
    const seen = acknowledged
    await append(second, created('1000000'))
    await load
    const refused = { name: 'StoreUnavailable', message: /another Mint has opened/ }
    await assert.rejects(first.events.append(created('2000000')), refused)
    await assert.rejects(first.checkWritable(), { name: 'StoreUnavailable' })
    await append(second, created('3000000'))
    const ids = (await wholeLog(second)).map(({ stream }) => stream.id)
    assert.ok(acknowledged <= seen + 1, `${acknowledged} were acknowledged, ${seen} before the second opening`)
    const expected = Array.from({ length: acknowledged }, (_, index) => `${index + 1}`)
    assert.deepEqual(ids, [...expected, '1000000', '3000000'])
    await assertViewEqualsLog(second)
  })

  it('refuses appends and reads as unavailable once it is closed', async () => {
    const database = await open()
    const checkpoint = () => database.view(jobs).checkpoint()
    await checkpoint()
    await database.close()
    const { append, readAll } = database.events
    for (const refused of [() => append(noted('1', 0)), () => readAll(BEGINNING, 1), checkpoint]) {
      await assert.rejects(refused, { name: 'StoreUnavailable' })
    }
  })
})

function writeText(file: string, text: string): string {
  writeFileSync(file, text)
  return file
}

function writeSql(file: string, sql: string): string {
  const connection = new DatabaseSync(file)
  connection.exec(sql)
  connection.close()
  return file
}
