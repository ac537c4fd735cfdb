import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importLog } from '../../../cli/admin/transfer/import.ts'
import { linesOf } from '../../../cli/admin/transfer/lines.ts'
import { readExport } from '../../../cli/admin/transfer/read-export.ts'
import { openInput } from '../../../cli/input-file.ts'
import { openImportTarget } from '../../../cli/target/import-target.ts'
import { type CommandEnd, jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { runMint } from '../../support/mint-process.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'
import { wholeExport } from '../../support/whole-export.ts'

type Change = (text: string) => string | Promise<string>

describe('mint import', () => {
  const source = temporaryFolder()
  const file = join(source.path, 'mint.ndjson')

  before(async () => {
    await fillFolder(join(source.path, 'data'), { contracts: 700, businesses: 10 })
    await mint(['keys', 'create', 'Reader', '--scopes', 'contracts:read'], { DATA_DIR: join(source.path, 'data') })
    const { exitCode } = await mint(['export', file], { DATA_DIR: join(source.path, 'data') })
    assert.equal(exitCode, 0)
  })
  after(() => source.remove())

  const newDataFolder = (): string => join(newFolder(), 'data')

  async function changedFile(change: Change): Promise<string> {
    const changed = join(newDataFolder(), '..', 'changed.ndjson')
    writeFileSync(changed, await change(readFileSync(file, 'utf8')))
    return changed
  }

  const wrongFiles: readonly (readonly [what: string, change: Change, message: RegExp])[] = [
    ['is cut off within a line', (text) => text.slice(0, -100), /truncated/],
    ['is cut off after a line', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), /truncated/],
    ['lacks a line', (text) => text.replace(/\n.*"sequence".*\n/, '\n'), /damaged: it has \d+ lines, not \d+/],
    ['has a changed character', (text) => text.replace('"19.99"', '"19.98"'), /damaged: its checksum/],
    ['is empty', () => '', /empty/],
    ['is something else', () => '{"a":1}\n', /truncated|not a Mint export/],
    [
      'an editor has marked as UTF-8',
      (text) => `\u{feff}${text}`,
      /not a Mint export: name .* nor in another encoding/,
    ],
    [
      'was written by a newer Mint',
      (text) => text.replace('"format":1', '"format":2'),
      /format 2.*the version that wrote/,
    ],
    [
      'leaves no numbers for new contracts',
      (text) => changedWhole(text, /"last":\d+/, '"last":9007199254740991'),
      /^Line \d+ can't be imported: last: is so high that no numbers are left/,
    ],
    [
      'has an API key with an unknown scope',
      (text) => changedWhole(text, /"contracts:read"/, '"firm:all"'),
      /^Line \d+ can't be imported: api-key \S+, version 1: scopes\.0: "firm:all" is not a scope/,
    ],
    [
      'lacks a commit',
      (text) => changedWhole(text, /\n\{"part":"businesses","position":3,.*/, ''),
      /^Line \d+ can't be imported: it has position 4 of businesses, after 2/,
    ],
    [
      'has a client without its id',
      (text) => changedWhole(text, /"clientId":"[^"]+",/, ''),
      /^Line \d+ can't be imported: client \S+, version 1: clientId is missing/,
    ],
  ]
  for (const [what, change, message] of wrongFiles) {
    it(`refuses a file that ${what}, and changes nothing`, async () => {
      const folder = newDataFolder()
      const { exitCode, errors } = await mint(['import', await changedFile(change)], { DATA_DIR: folder })
      assert.equal(exitCode, 1)
      assert.match(errors, message)
      assert.match((await mint(['verify'], { DATA_DIR: folder })).errors, /contains no Mint data/)
    })
  }

  it('checks a file before it writes anything, even on standard input', async () => {
    const folder = newDataFolder()
    const changed = await changedFile((text) => text.slice(0, -100))
    const { exitCode, errors } = await importInShell('"$0" cli/launch.js import - < "$1"', changed, folder)
    assert.equal(exitCode, 1)
    assert.match(errors, /truncated/)
    assert.match((await mint(['verify'], { DATA_DIR: folder })).errors, /contains no Mint data/)
  })

  it('reads a pipe only once, whether given as - or as a path', async () => {
    for (const from of ['- < <(cat "$1")', '<(cat "$1")']) {
      const { exitCode, output, errors } = await importInShell(
        `"$0" cli/launch.js import ${from}`,
        file,
        newDataFolder(),
      )
      assert.deepEqual([exitCode, output, errors], [0, 'Imported 954 events.\n', ''], from)
    }
  })

  it('refuses a target that holds data, and changes nothing', async () => {
    const folder = newDataFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const { exitCode, errors } = await mint(['import', file], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /already holds data: an import needs an empty target/)
    assert.match((await mint(['verify'], { DATA_DIR: folder })).output, /^3 events/)
  })

  it('says what to do if the views can’t be built, as on a disk that is full by then', async () => {
    const folder = newDataFolder()
    const target = await openImportTarget({ DATA_DIR: folder })
    const open: typeof target.open = async (part, views) => {
      if (views.length > 0) throw new Error('The disk is full.')
      return await target.open(part, views)
    }
    using input = openInput(file, 'name another file')
    const reader = await readExport(linesOf(input.chunks()))
    const importing = importLog({ ...target, open }, reader, () => undefined)
    const remedy = /^The disk is full\.\n\S+ holds only part of the import, .*: run the same import again, /
    await assert.rejects(importing, { name: 'CommandFailure', message: remedy })
    await target.close()
    const { exitCode, output } = await mint(['import', file], { DATA_DIR: folder })
    assert.deepEqual([exitCode, /^Imported (\d+) events, \1 of them in an import/.test(output)], [0, true])
  })

  it('keeps a partial import from being served, and resumes where it was interrupted', async () => {
    const folder = newDataFolder()
    const lines = readFileSync(file, 'utf8').split('\n')
    // Truncated but otherwise intact, as after a broken pipe.
    const piped = await changedFile(() => `${lines.slice(0, 650).join('\n')}\n`)
    const cutOff = await importInShell('cat "$1" | "$0" cli/launch.js import -', piped, folder)
    assert.equal(cutOff.exitCode, 1)
    const { at } = JSON.parse(lines[0] ?? '')
    assert.equal(
      cutOff.errors,
      'The file is truncated: its last line is missing.\n' +
        `DATA_DIR=${folder} holds only part of the import, and no service starts on it until it is complete: import the ` +
        `export of ${at} again from a complete file, which resumes where it stopped, or remove the folder ` +
        `${folder}. (A file is checked before the first write; a pipe can only be checked at its end.)\n`,
    )
    const refused = await mint(['verify'], { DATA_DIR: folder })
    assert.match(refused.errors, /holds an import that was interrupted: run `cli\/mint import` again/)
    assert.equal(refused.exitCode, 1)
    const started = await runMint({ dataFolder: folder }).ended
    assert.equal(started.exitCode, 1)
    assert.match(
      started.errors,
      /holds an import that was interrupted: run `cli\/mint import` again with the same file/,
    )

    const another = newFolder()
    await fillFolder(join(another, 'data'), { contracts: 700, businesses: 1 })
    const other = join(another, 'other.ndjson')
    await mint(['export', other], { DATA_DIR: join(another, 'data') })
    assert.match((await mint(['import', other], { DATA_DIR: folder })).errors, /holds part of another export/)

    const { output, errors } = await mint(['import', file, '--json'], { DATA_DIR: folder })
    assert.deepEqual([errors, jsonLines(output)], ['', [{ events: 954, alreadyThere: 500 }]])
    assert.equal((await mint(['verify'], { DATA_DIR: folder })).exitCode, 0)
  })
})

/** Runs a shell command, in which $0 is this Node and $1 the file. */
async function importInShell(line: string, file: string, folder: string): Promise<CommandEnd> {
  const command = ['bash', '-c', line, process.execPath, file] as const
  const { exitCode, output, errors } = await runMint({ dataFolder: folder, command }).ended
  return { exitCode: exitCode ?? -1, output, errors }
}

/** An export with the first match replaced by another text, and a last line that matches. */
async function changedWhole(text: string, what: RegExp, by: string): Promise<string> {
  return await wholeExport(text.replace(what, by).split('\n').slice(0, -2))
}
