import { Command, CommanderError } from 'commander'
import { version } from '../shared/runtime/this-process.ts'
import type { Cli } from './cli.ts'
import { addBackup } from './commands/backup.ts'
import { addClosing } from './commands/closing.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExport } from './commands/export.ts'
import { addFirm } from './commands/firm.ts'
import { addFork } from './commands/fork.ts'
import { addHistory } from './commands/history.ts'
import { addImport } from './commands/import.ts'
import { addImportCsv } from './commands/import-csv.ts'
import { addKeys } from './commands/keys.ts'
import { addDeadLetters, addRelay, addVerify, addViews } from './commands/maintenance.ts'
import { addStart } from './commands/start.ts'
import { addStatus } from './commands/status.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { CommandFailure, EXIT } from './exit.ts'
import { ReaderGone, writeError, writeText } from './output/write.ts'

const AFTER = `
Data: MongoDB if MONGO_URL is set, else the folder DATA_DIR (./data), even while
Mint runs. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 something is wrong.`

/** In the order of `--help`. */
const COMMANDS = [
  addStart,
  addStatus,
  addDoctor,
  addKeys,
  addWebhooks,
  addHistory,
  addClosing,
  addFirm,
  addViews,
  addVerify,
  addRelay,
  addDeadLetters,
  addBackup,
  addFork,
  addExport,
  addImport,
  addImportCsv,
]

/** Runs one command line and returns its exit code. Says on standard error why it failed. */
export async function run(words: readonly string[], cli: Cli): Promise<number> {
  const help: string[] = []
  try {
    try {
      const program = await createProgram(cli, words, (text) => help.push(text))
      if (words[0] === 'help') explain(program, words.slice(1))
      await program.parseAsync(words, { from: 'user' })
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error
      await writeText(cli, help.join(''))
      return error.exitCode === 0 ? EXIT.done : EXIT.usage
    }
    return EXIT.done
  } catch (error) {
    if (error instanceof ReaderGone) return EXIT.done
    const { explainFailure } = await import('../shared/runtime/process/start-failure.ts')
    for (const line of explainFailure(error)) writeError(cli, line)
    return error instanceof CommandFailure ? error.exitCode : EXIT.failed
  }
}

/** `mint help keys create` is `mint keys create --help`. Always throws CommanderError. */
function explain(mint: Command, words: readonly string[]): never {
  let command = mint
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word)
    if (!next) return command.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' })
    command = next
  }
  return command.help()
}

/** `onHelp` gets the text to show before the program ends with a CommanderError: help, or the version. */
async function createProgram(cli: Cli, words: readonly string[], onHelp: (text: string) => void): Promise<Command> {
  const mint = new Command('cli/mint')
    .version(version, '-V, --version', 'display the version')
    .addHelpText('after', AFTER)
    .showHelpAfterError('(see --help)')
    .helpCommand(false)
    .configureHelp({ helpWidth: 80, subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({ writeOut: onHelp, writeErr: (text) => writeError(cli, text.trimEnd()) })
  for (const add of COMMANDS) await add(mint, cli, words)
  return mint
}
