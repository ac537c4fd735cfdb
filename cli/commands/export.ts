import type { Command } from 'commander'
import type { Admin } from '../admin/operations.ts'
import { type Cli, withData } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { type Append, makeFile } from '../output/new-file.ts'
import { example, type JsonOption } from '../output/options.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeLine, writeRaw } from '../output/write.ts'

const STDOUT = '-'

/** `cli/mint export`. */
export function addExport(mint: Command, cli: Cli): void {
  mint
    .command('export')
    .summary('write the whole log, keys included, into one file')
    .description(
      'Writes everything that can’t be made anew into one file, for `cli/mint import` on this or another ' +
        'engine: every event with its ids and position, keys, remembered answers, dead letters. Mint may ' +
        'go on meanwhile; what is written later is not in it. The file holds all data: keep it safe.',
    )
    .argument('[file]', 'a file that does not exist yet, or - for standard output', STDOUT)
    .option('--json', 'for machines: say how it ended as one JSON value (not with -)')
    .addHelpText('after', example('export mint.ndjson'))
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
  await withData(cli, (admin) => writeExport(admin, cli, (text) => writeRaw(cli, text)))
}

async function exportToFile(cli: Cli, file: string, { json }: JsonOption): Promise<void> {
  const events = await makeFile(file, (append) => withData(cli, (admin) => writeExport(admin, cli, append)))
  await writeLine(cli, json ? JSON.stringify({ file, events }) : `${events} events are in ${file}.`)
}

async function writeExport(admin: Admin, cli: Cli, append: Append): Promise<number> {
  let count = 0
  for await (const { text, events } of withBar(cli, (report) => admin.run('exportLog', {}, report))) {
    await append(text)
    count = events
  }
  return count
}
