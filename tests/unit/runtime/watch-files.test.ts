import assert from 'node:assert/strict'
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createMetrics } from '../../../shared/runtime/metrics/metrics.ts'
import { SettingsError } from '../../../shared/runtime/settings/read-settings.ts'
import { type FileContents, watchFiles } from '../../../shared/runtime/watch-files.ts'
import { atEnd } from '../../support/cleanup.ts'
import { collectingLogger } from '../../support/collecting-logger.ts'
import { parseMetrics } from '../../support/metrics.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

/** A matching pair has the same text in both files. */
function parse({ CERT_FILE, KEY_FILE }: FileContents): string {
  if (String(CERT_FILE) !== String(KEY_FILE)) throw new Error('KEY_FILE does not fit CERT_FILE')
  return String(CERT_FILE)
}

describe('Watched files', () => {
  async function watchPair(pollMilliseconds = 5) {
    const folder = newFolder()
    const files = { CERT_FILE: `${folder}/cert`, KEY_FILE: `${folder}/key` }
    writeFileSync(files.CERT_FILE, 'one')
    writeFileSync(files.KEY_FILE, 'one')
    const { logger, lines } = collectingLogger()
    const metrics = createMetrics(logger)
    const watched = await watchFiles({ use: 'pair', files, parse, logger, metrics, atEnd, pollMilliseconds })
    const heard: string[] = []
    watched.onChange((value) => heard.push(value))
    const unusable = async () => parseMetrics((await metrics.read()).text).value('mint_files_unusable', { use: 'pair' })
    return { ...files, folder, watched, heard, lines, unusable }
  }

  it('are reloaded when written in place, replaced by a rename, or swapped behind a symbolic link', async () => {
    const { CERT_FILE, KEY_FILE, folder, watched, heard } = await watchPair()
    writeFileSync(CERT_FILE, 'two')
    writeFileSync(KEY_FILE, 'two')
    await waitFor(() => watched.current() === 'two')
    for (const file of [CERT_FILE, KEY_FILE]) {
      writeFileSync(`${file}.new`, 'three')
      renameSync(`${file}.new`, file)
    }
    await waitFor(() => watched.current() === 'three')
    writeFileSync(`${folder}/four`, 'four')
    for (const file of [CERT_FILE, KEY_FILE]) {
      symlinkSync('four', `${file}.link`)
      renameSync(`${file}.link`, file)
    }
    await waitFor(() => watched.current() === 'four')
    assert.deepEqual(heard, ['two', 'three', 'four'])
  })

  it('change nothing but a log line and a metric while they can’t be used', async () => {
    const { KEY_FILE, CERT_FILE, watched, heard, lines, unusable } = await watchPair()
    assert.equal(await unusable(), 0)
    rmSync(KEY_FILE)
    await waitFor(() => lines.length === 1)
    writeFileSync(KEY_FILE, 'two')
    await waitFor(() => lines.length === 2)
    await waitFor(async () => (await unusable()) === 1)
    assert.deepEqual([watched.current(), heard], ['one', []])
    writeFileSync(CERT_FILE, 'two')
    await waitFor(async () => (await unusable()) === 0)
    const kept = 'changed files can’t be used, the previous ones stay in use:'
    const unread = `KEY_FILE=${KEY_FILE} can’t be read (ENOENT: no such file or directory, open '${KEY_FILE}'): name a file that Mint’s user may read`
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      [`${kept} ${unread}`, `${kept} KEY_FILE does not fit CERT_FILE`, 'changed files are in use'],
    )
    assert.deepEqual(heard, ['two'])
  })

  it('are not used until two checks in a row find the same content', async () => {
    const { CERT_FILE, KEY_FILE, watched, heard, lines } = await watchPair()
    let written = 0
    const write = (): void => {
      written += 1
      writeFileSync(CERT_FILE, `${written}`)
      writeFileSync(KEY_FILE, `${written}`)
    }
    // More often than they are checked.
    const writing = setInterval(write, 1)
    await waitFor(() => written >= 100)
    clearInterval(writing)
    assert.deepEqual([watched.current(), heard, lines], ['one', [], []])
    await waitFor(() => watched.current() === `${written}`)
    assert.deepEqual(heard, [`${written}`])
  })

  it('prevent the start, in one line, if they can’t be used', async () => {
    const surroundings = { logger: quietLogger(), metrics: createMetrics(quietLogger()), atEnd }
    const why = {
      '/nowhere/key': "ENOENT: no such file or directory, open '/nowhere/key'",
      '/dev/zero': 'it is not a regular file',
    }
    for (const [path, reason] of Object.entries(why)) {
      const unusable = watchFiles({ use: 'pair', files: { KEY_FILE: path }, parse, ...surroundings })
      const line = `KEY_FILE=${path} can’t be read (${reason}): name a file that Mint’s user may read`
      await assert.rejects(unusable, (error) => error instanceof SettingsError && error.message === line)
    }
  })
})
