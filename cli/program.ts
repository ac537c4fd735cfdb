import { Command, CommanderError } from 'commander'
import type { Cli } from './cli.ts'
import { addBackup } from './commands/backup.ts'
import { addDeadLetters } from './commands/dead-letters.ts'
import { addExport } from './commands/export.ts'
import { addHistory } from './commands/history.ts'
import { addImport } from './commands/import.ts'
import { addKeys } from './commands/keys.ts'
import { addRelay } from './commands/relay.ts'
import { addStart } from './commands/start.ts'
import { addVerify } from './commands/verify.ts'
import { addViews } from './commands/views.ts'
import { CommandFailure, EXIT } from './exit.ts'
import { ReaderGone } from './output/write.ts'

const DESCRIPTION = 'Contracts and businesses, every change kept as an event, over REST.'
const AFTER = `
Data: MongoDB where MONGO_URL is set (and NAMESPACE), else the folder DATA_DIR
(./data), through the Mint that runs on it. Exit codes: 0 done, 1 failed,
2 wrong usage, 3 something differs.`

/** Runs one command line; answers the exit code once it has ended. Says on standard error why it failed. */
export async function run(words: readonly string[], cli: Cli): Promise<number> {
  const program = createProgram(cli)
  try {
    await program.parseAsync(words, { from: 'user' })
    return EXIT.done
  } catch (error) {
    if (error instanceof ReaderGone) return EXIT.done
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
    const { explainFailure } = await import('../shared/process/start-failure.ts')
    for (const line of explainFailure(error)) cli.err.write(`${line}\n`)
    return error instanceof CommandFailure ? error.exitCode : EXIT.failed
  }
}

function createProgram(cli: Cli): Command {
  const mint = new Command('mint')
    .description(DESCRIPTION)
    .addHelpText('after', AFTER)
    .showHelpAfterError('(--help shows what there is)')
    .helpCommand(false)
    .configureHelp({ helpWidth: 80, subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.out.write(text),
      writeErr: (text) => cli.err.write(text),
    })
  addStart(mint, cli)
  addKeys(mint, cli)
  addHistory(mint, cli)
  addViews(mint, cli)
  addVerify(mint, cli)
  addRelay(mint, cli)
  addDeadLetters(mint, cli)
  addBackup(mint, cli)
  addExport(mint, cli)
  addImport(mint, cli)
  return mint
}
