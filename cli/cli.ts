import type { Argument, Command, Option } from 'commander'
import type { Admin, ArgumentsOf, ItemOf, OperationName } from './admin/operations.ts'
import { addCommand, addExample, JSON_LINES, type JsonOption } from './commands/add-command.ts'
import { withBar } from './output/progress-bar.ts'
import { type Output, writeItems, writeLine } from './output/write.ts'
import type { Environment } from './target/config.ts'

/** What a command works with, besides its arguments. */
export interface Cli extends Output {
  readonly environment: Environment
}

/**
 * Opens the data that the environment names (the databases on MongoDB; or the folder, through the Mint that runs on it,
 * if any), passes it to `work`, and always closes it afterwards. Throws CommandFailure and SettingsError.
 */
export async function withData<Result>(cli: Cli, work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const { readTargetConfig } = await import('./target/config.ts')
  const config = readTargetConfig(cli.environment)
  // Loads only the driver that is needed.
  const target =
    config.type === 'mongo'
      ? await (await import('./target/mongo-target.ts')).openMongoTarget(config)
      : await (await import('./target/folder-target.ts')).openFolderTarget(config)
  try {
    return await work(target.admin)
  } finally {
    await target.close()
  }
}

/** A command that runs an operation and writes each of its items. */
export interface Listing<Name extends OperationName, Options> {
  readonly summary: string
  /** What its own `--help` says besides. */
  readonly more?: string
  readonly takes?: readonly Argument[]
  readonly options?: readonly Option[]
  /** Its arguments in the example of `--help`. */
  readonly example?: string
  readonly operation: Name
  /** Builds the operation's input from the command line; absent if it has none. */
  input?(words: readonly string[], options: Options): ArgumentsOf<Name> | Promise<ArgumentsOf<Name>>
  /** Formats an item for people. */
  toLines(item: ItemOf<Name>): readonly string[]
  /** What to say where there are no items. */
  readonly none?: string
  /** Called with the number of items, after the last one. */
  atEnd?(count: number): Promise<void>
}

/** Adds such a command, which writes its items as JSON or as lines for people. */
export function addListing<Name extends OperationName, Options = JsonOption>(
  cli: Cli,
  parent: Command,
  name: string,
  { operation, input, toLines, none, atEnd, ...shown }: Listing<Name, Options>,
): void {
  const { summary, more, takes = [], options = [], example = '' } = shown
  const command = addCommand(parent, name, summary, more)
  for (const argument of takes) command.addArgument(argument)
  for (const option of options) command.addOption(option)
  addExample(command.option(...JSON_LINES), example).action(async () => {
    const options = command.opts<Options & JsonOption>()
    const given = (await input?.(command.args, options)) ?? ({} as ArgumentsOf<Name>)
    const count = await withData(cli, (admin) => {
      const items = withBar(cli, (report) => admin.run(operation, given, report))
      return writeItems(cli, items, { json: options.json, toLines })
    })
    if (count === 0 && none !== undefined && !options.json) await writeLine(cli, none)
    await atEnd?.(count)
  })
}
