import type { Command } from 'commander'
import { type Cli, withData } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { counted } from '../output/counted.ts'
import { type Append, makeFile } from '../output/new-file.ts'
import { withBar } from '../output/progress-bar.ts'
import { ReaderGone, writeLine, writeRaw } from '../output/write.ts'
import { addCommand, addExample, type JsonOption } from './add-command.ts'

const STDOUT = '-'

/** `cli/mint export`. */
export function addExport(mint: Command, cli: Cli): void {
  const command = addCommand(
    mint,
    'export',
    'write the whole log, including keys, to one file',
    'The file has everything that can’t be derived, for `cli/mint import` on this or another engine. Mint may keep ' +
      'running; later changes are not included. It holds all data: keep it safe.',
  )
  addExample(command, 'mint.ndjson')
    .argument('[file]', 'a file that does not exist yet, or - for standard output', STDOUT)
    .option('--json', 'for machines: print the result as one JSON value (not with -)')
    .action(async (file: string, { json }: JsonOption) => {
      if (file === STDOUT && cli.out.isTTY) {
        const message = 'Name a file, or redirect standard output: an export is not written to a terminal.'
        throw new CommandFailure(message, { exitCode: EXIT.usage })
      }
      if (file === STDOUT) return void (await writeExport(cli, (text) => writeRaw(cli, text).catch(incomplete)))
      const events = await makeFile(file, (append) => writeExport(cli, append))
      await writeLine(cli, json ? JSON.stringify({ file, events }) : `Exported ${counted(events, 'event')} to ${file}.`)
    })
}

/** Unlike other output, an export is of no use to a reader that has only the beginning. */
function incomplete(error: unknown): never {
  if (!(error instanceof ReaderGone)) throw error
  throw new CommandFailure('Nothing reads standard output any more: this export is incomplete. Run it again.')
}

/** Returns the number of events. */
function writeExport(cli: Cli, append: Append): Promise<number> {
  return withData(cli, async (admin) => {
    let count = 0
    for await (const { text, events } of withBar(cli, (report) => admin.run('exportLog', {}, report))) {
      await append(text)
      count = events
    }
    return count
  })
}
