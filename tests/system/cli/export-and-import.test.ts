import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanup } from '../../support/cleanup.ts'
import { type CommandEnd, jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { runMint } from '../../support/mint-process.ts'
import { temporaryFolder, temporaryFolders } from '../../support/temporary-folder.ts'

describe('mint export and import', () => {
  const atEnd = cleanup()
  const source = temporaryFolder()
  const file = join(source.path, 'mint.ndjson')

  before(async () => {
    await fillFolder(join(source.path, 'data'), { contracts: 700, businesses: 10 })
    const { exitCode } = await mint(['export', file], { DATA_DIR: join(source.path, 'data') })
    assert.equal(exitCode, 0)
  })
  after(() => source.remove())

  const newParent = temporaryFolders(atEnd)
  const newFolder = (): string => join(newParent(), 'data')

  function changedFile(change: (text: string) => string): string {
    const changed = join(newFolder(), '..', 'changed.ndjson')
    writeFileSync(changed, change(readFileSync(file, 'utf8')))
    return changed
  }

  const wrongFiles: readonly (readonly [what: string, change: (text: string) => string, message: RegExp])[] = [
    ['is cut off within a line', (text) => text.slice(0, -100), /cut off/],
    ['is cut off after a line', (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1), /cut off/],
    ['lacks a line', (text) => text.replace(/\n.*\n/, '\n'), /damaged: it has \d+ lines, not \d+/],
    ['has a changed character', (text) => text.replace('"19.99"', '"19.98"'), /damaged: its checksum/],
    ['is empty', () => '', /empty/],
    ['is something else', () => '{"a":1}\n', /cut off|no export/],
    [
      'was written by a newer Mint',
      (text) => text.replace('"format":1', '"format":2'),
      /format 2.*the version that wrote/,
    ],
  ]
  for (const [what, change, message] of wrongFiles) {
    it(`refuses a file that ${what}, and changes nothing`, async () => {
      const folder = newFolder()
      const { exitCode, errors } = await mint(['import', changedFile(change)], { DATA_DIR: folder })
      assert.equal(exitCode, 1)
      assert.match(errors, message)
      assert.match((await mint(['verify'], { DATA_DIR: folder })).errors, /holds no data of Mint/)
    })
  }

  it('refuses a target that holds data, and changes nothing', async () => {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const { exitCode, errors } = await mint(['import', file], { DATA_DIR: folder })
    assert.equal(exitCode, 1)
    assert.match(errors, /holds data already: an import needs an empty one/)
    assert.match((await mint(['verify'], { DATA_DIR: folder })).output, /^3 events/)
  })

  it('lets nobody serve a part of an import, and goes on where it was interrupted', async () => {
    const folder = newFolder()
    const lines = readFileSync(file, 'utf8').split('\n')
    // Its end is missing, but what stands before it is sound: as far as a pipe brought it.
    const cutOff = await importThroughPipe(`${lines.slice(0, 650).join('\n')}\n`, folder)
    assert.equal(cutOff.exitCode, 1)
    assert.match(cutOff.errors, /cut off[\s\S]*run the same import again/)
    const refused = await mint(['verify'], { DATA_DIR: folder })
    assert.match(refused.errors, /holds an import that was interrupted: run `mint import` again/)
    assert.equal(refused.exitCode, 1)
    const started = await runMint({ dataFolder: folder }).ended
    assert.equal(started.exitCode, 1)
    assert.match(started.errors, /holds an import that was interrupted: run `mint import` again with the same file/)

    const another = newParent()
    await fillFolder(join(another, 'data'), { contracts: 700, businesses: 1 })
    const other = join(another, 'other.ndjson')
    await mint(['export', other], { DATA_DIR: join(another, 'data') })
    assert.match((await mint(['import', other], { DATA_DIR: folder })).errors, /holds a part of another file/)

    const { output, errors } = await mint(['import', file, '--json'], { DATA_DIR: folder })
    assert.deepEqual([errors, jsonLines(output)], ['', [{ events: 953, alreadyThere: 500 }]])
    assert.equal((await mint(['verify'], { DATA_DIR: folder })).exitCode, 0)
  })
})

async function importThroughPipe(text: string, folder: string): Promise<CommandEnd> {
  const piped = join(folder, '..', 'piped.ndjson')
  writeFileSync(piped, text)
  const script = '"$0" cli/launch.js import - < "$1"'
  const run = runMint({ dataFolder: folder, command: ['sh', '-c', script, process.execPath, piped] as never })
  const { exitCode, output, errors } = await run.ended
  return { exitCode: exitCode ?? -1, output, errors }
}
