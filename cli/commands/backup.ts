import type { Command } from 'commander'
import type { Report } from '../admin/report.ts'
import type { Cli } from '../cli.ts'
import { CommandFailure } from '../exit.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeLine } from '../output/write.ts'
import { addCommand, addExample, JSON_VALUE, type JsonOption } from './add-command.ts'

/** How often the size of the copy is checked, in milliseconds. */
const POLL_INTERVAL = 200

/** `cli/mint backup`. */
export function addBackup(mint: Command, cli: Cli): void {
  const command = addCommand(
    mint,
    'backup',
    'copy DATA_DIR as it is now, while Mint runs',
    'The copy is checked. To restore, start Mint on it. It holds all data: keep it safe.',
  )
  addExample(command, './backup-of-today')
    .argument('<folder>', 'an empty folder, or one that does not exist yet')
    .option(...JSON_VALUE)
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
