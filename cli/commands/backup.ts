import type { Command } from 'commander'
import type { Report } from '../admin/report.ts'
import type { Cli } from '../cli.ts'
import { CommandFailure } from '../exit.ts'
import { example, type JsonOption } from '../output/options.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeLine } from '../output/write.ts'

/** How often the size of the copy is checked, in milliseconds. */
const POLL_INTERVAL = 200

/** `cli/mint backup`. */
export function addBackup(mint: Command, cli: Cli): void {
  mint
    .command('backup')
    .summary('copy DATA_DIR as it is now, while Mint runs')
    .description(
      'Copies all data in DATA_DIR to an empty folder, as it is at one moment, and checks the copy. Mint may ' +
        'keep writing. To restore, start Mint on the copy. The copy holds all data: keep it safe.',
    )
    .argument('<folder>', 'an empty folder, or one that does not exist yet')
    .option('--json', 'for machines: print the result as one JSON value')
    .addHelpText('after', example('backup ./backup-of-today'))
    .action(async (folder: string, { json }: JsonOption) => {
      const { readTargetConfig } = await import('../target/config.ts')
      const { checkPath } = await import('../start/usable-folder.ts')
      const { megabytesIn } = await import('../admin/back-up-folder.ts')
      const target = readTargetConfig(cli.environment)
      if (target.type === 'mongo') {
        throw new CommandFailure(
          'cli/mint backup copies a DATA_DIR, but MONGO_URL is set: docs/operations.md explains how to back up MongoDB, ' +
            'and cli/mint export writes everything to one file.',
        )
      }
      checkPath(folder)
      for await (const _ of withBar(cli, (report) => copy(target.folder, folder, report)));
      const megabytes = megabytesIn(folder)
      const line = `${folder} is a copy of ${target.folder} (${megabytes} MB).`
      await writeLine(cli, json ? JSON.stringify({ folder, megabytes }) : line)
    })
}

/** SQLite reports no progress when it copies in one step, so progress is the size of the copy. */
async function* copy(from: string, to: string, report: Report): AsyncGenerator<never> {
  const { backUpFolder, megabytesIn } = await import('../admin/back-up-folder.ts')
  const total = Math.max(1, megabytesIn(from))
  const poll = () => report('Copying MB', Math.min(total, megabytesIn(to)), total)
  const polling = setInterval(poll, POLL_INTERVAL)
  try {
    await backUpFolder(from, to)
  } finally {
    clearInterval(polling)
  }
}
