import type { Writable } from 'node:stream'
import type { Admin, ArgumentsOf, ItemOf, OperationName } from './admin/operations.ts'
import type { JsonOption } from './output/options.ts'
import { withBar } from './output/progress-bar.ts'
import { writeItems } from './output/write.ts'
import { type Environment, readTargetConfig } from './target/config.ts'

/** What a command works with, beside its arguments. */
export interface Cli {
  readonly environment: Environment
  /** For what was asked for. */
  readonly out: Writable & { readonly isTTY?: boolean }
  /** For everything else; a bar of progress is drawn only where it is a terminal. */
  readonly err: Writable & { readonly isTTY?: boolean }
}

/** A Mint's data, ready to work on. */
export interface Target {
  readonly admin: Admin
  close(): Promise<void>
}

/**
 * Opens the data that the environment names (the databases on MongoDB; or the folder, through the Mint that runs on it
 * where one does), does something with it, and lets go of it whatever happens. Throws CommandFailure and SettingsError.
 */
export async function withData<Result>(cli: Cli, work: (admin: Admin) => Promise<Result>): Promise<Result> {
  const config = readTargetConfig(cli.environment)
  // Only the driver that is needed is loaded.
  const target =
    config.type === 'mongo'
      ? await (await import('./target/mongo-target.ts')).openMongoTarget(config)
      : await (await import('./target/folder-target.ts')).openFolderTarget(config.folder)
  try {
    return await work(target.admin)
  } finally {
    await target.close()
  }
}

/** Runs an operation and writes each of its items, as JSON or as lines for people; answers the items' number. */
export function show<Name extends OperationName>(
  cli: Cli,
  [name, input]: readonly [Name, ArgumentsOf<Name>],
  { json }: JsonOption,
  toLines: (item: ItemOf<Name>) => readonly string[],
): Promise<number> {
  return withData(cli, (admin) =>
    writeItems(
      cli,
      withBar(cli, (report) => admin.run(name, input, report)),
      { json, toLines },
    ),
  )
}
