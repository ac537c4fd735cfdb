import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Command } from 'commander'
import type { Admin } from '../admin/operations.ts'
import { type Cli, withData } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { itemsOf } from '../output/items.ts'
import { example, type JsonOption } from '../output/options.ts'
import { writeText } from '../output/write.ts'

const STDOUT = '-'

/** `mint export`. */
export function addExport(mint: Command, cli: Cli): void {
  mint
    .command('export')
    .summary('write the whole log, keys included, into one file')
    .description(
      'Writes everything that can’t be made anew into one file, for `mint import` on this or another ' +
        'engine: every event with its ids and position, keys, remembered answers, dead letters. Mint may ' +
        'go on meanwhile; what is written later is not in it. The file holds all data: keep it safe.',
    )
    .argument('[file]', 'a file that does not exist yet, or - for standard output', STDOUT)
    .option('--json', 'for machines: say how it ended as one JSON value (not with -)')
    .addHelpText('after', example('mint export mint.ndjson'))
    .action((file: string, options: JsonOption) =>
      file === STDOUT ? exportToOutput(cli) : exportToFile(cli, file, options),
    )
}

async function exportToOutput(cli: Cli): Promise<void> {
  if (cli.out.isTTY) {
    throw new CommandFailure('Name a file, or send standard output to one: an export is not for reading.', {
      exitCode: EXIT.usage,
    })
  }
  await withData(cli, (admin) => writeExport(admin, cli, cli.out))
}

/** Whole or not at all: under its own name only when all of it is on disk. */
async function exportToFile(cli: Cli, file: string, { json }: JsonOption): Promise<void> {
  if (existsSync(file)) throw new CommandFailure(`${file} exists already: name another file, or remove it.`)
  const unfinished = `${file}.unfinished`
  const events = await withData(cli, async (admin) => {
    try {
      const to = createWriteStream(unfinished, { mode: 0o600 })
      const written = await writeExport(admin, cli, to)
      await finished(to.end())
      await sync(unfinished)
      await rename(unfinished, file)
      return written
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  })
  await writeText(cli.out, json ? `${JSON.stringify({ file, events })}\n` : `${events} events are in ${file}.\n`)
}

async function writeExport(admin: Admin, cli: Cli, to: Writable): Promise<number> {
  let count = 0
  for await (const { text, events } of itemsOf(admin.run('exportLog', {}), cli)) {
    await writeText(to, text)
    count = events
  }
  return count
}

async function sync(file: string): Promise<void> {
  const opened = await open(file, 'r')
  await opened.sync()
  await opened.close()
}
