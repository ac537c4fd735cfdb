import type { Command } from 'commander'
import type { Report } from '../admin/report.ts'
import { type Cli, withData } from '../cli.ts'
import { onInterrupt } from '../exit.ts'
import { counted } from '../output/counted.ts'
import { withBar } from '../output/progress-bar.ts'
import { shellWord, writeItems } from '../output/write.ts'
import { addCommand, addExample, JSON_VALUE, type JsonOption } from './add-command.ts'
import { checkedInput } from './checked-input.ts'

interface Fork {
  readonly folder: string
  /** RFC 3339; null: now. */
  readonly at: string | null
  readonly events: number
}

/** `cli/mint fork`. */
export function addFork(mint: Command, cli: Cli): void {
  const command = addCommand(
    mint,
    'fork',
    'make a separate copy, as of any moment, to try things in',
    'It has contracts, businesses, closings and the firm as of then, keys as of now, and no webhooks. Changes in it ' +
      'stay there. Start it with DATA_DIR and free ports. It holds real data and accepts the same keys: keep it safe.',
  )
  addExample(command, '--at 2026-03-31T12:00:00Z ./march')
    .argument('<folder>', 'an empty folder, or one that does not exist yet')
    .option('--at <moment>', 'for example 2026-03-31T12:00:00Z; now if omitted')
    .option(...JSON_VALUE)
    .action(async (folder: string, { at, json }: JsonOption & { readonly at?: string }) => {
      const { moment } = await import('../../gateway/schemas/read-parameters.ts')
      const { asOf } = await checkedInput(moment, { asOf: at }, { asOf: '--at' })
      const forked = withBar(cli, async function* (report) {
        // A moment in the future is now, as for records.
        yield await fork(cli, folder, asOf !== undefined && asOf < Date.now() ? asOf : undefined, report)
      })
      await writeItems(cli, forked, { json, toLines })
    })
}

/** Streams an export into an import. Leaves the folder empty unless it succeeds. */
async function fork(cli: Cli, folder: string, until: number | undefined, report: Report): Promise<Fork> {
  const { makeEmptyFolder } = await import('../admin/back-up-folder.ts')
  const { importLog, PartialImport } = await import('../admin/transfer/import.ts')
  const { readExport } = await import('../admin/transfer/read-export.ts')
  const { openImportTarget } = await import('../target/import-target.ts')
  return await withData(cli, async (admin) => {
    const empty = makeEmptyFolder(folder, 'fork')
    using _interrupted = onInterrupt(empty)
    const target = await openImportTarget({ DATA_DIR: folder })
    try {
      const reader = await readExport(linesOf(admin.run('exportLog', { isFork: true, until }, () => undefined)))
      const { events } = await importLog(target, reader, report)
      await target.close()
      return { folder, at: until === undefined ? null : new Date(until).toISOString(), events }
    } catch (error) {
      await target.close()
      empty()
      // The import's advice about its folder doesn't apply: the folder is empty again.
      throw error instanceof PartialImport ? error.cause : error
    }
  })
}

async function* linesOf(exported: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string> {
  for await (const { text } of exported) yield* text.split('\n').filter((line) => line !== '')
}

const toLines = ({ folder, at, events }: Fork): readonly string[] => [
  `${folder} is Mint as of ${at ?? 'now'} (${counted(events, 'event')}).`,
  `Start it: PORT=0 CONTRACTS_PORT=0 BUSINESSES_PORT=0 METRICS_PORT=0 DATA_DIR=${shellWord(folder)} npm start`,
]
