import type { Command } from 'commander'
import type { VerifyItem } from '../admin/verify/verify.ts'
import { type Cli, withData } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { itemsOf } from '../output/items.ts'
import { example, JSON_LINES, type JsonOption } from '../output/options.ts'
import { writeItems } from '../output/write.ts'

/** `mint verify`. */
export function addVerify(mint: Command, cli: Cli): void {
  mint
    .command('verify')
    .summary('fold the whole log anew and say what differs')
    .description(
      'Folds the whole log anew and checks positions, versions, times, totals, commit ids, ' +
        'clients, sequences and views. Mint may go on meanwhile. Exit code 3: something differs.',
    )
    .option(...JSON_LINES)
    .addHelpText('after', example('verify'))
    .action(async ({ json }: JsonOption) => {
      let differences = 0
      await withData(cli, async (admin) => {
        const items = itemsOf(admin.run('verify', {}), cli)
        await writeItems(
          cli,
          counting(items, (count) => (differences = count)),
          { json, toLines },
        )
      })
      if (differences > 0) {
        throw new CommandFailure(
          'Something differs: docs/cli.md says how to repair views, and what to do about the rest.',
          {
            exitCode: EXIT.differs,
          },
        )
      }
    })
}

async function* counting(items: AsyncIterable<VerifyItem>, tell: (differences: number) => void) {
  for await (const item of items) {
    if (item.type === 'summary') tell(item.differences)
    yield item
  }
}

function toLines(item: VerifyItem): readonly string[] {
  if (item.type === 'difference') return [`${item.part}: ${item.where}: ${item.message} (${item.kind})`]
  const { events, streams, differences } = item
  return [
    `${events} events of ${streams} records checked: ${differences === 0 ? 'all is well' : `${differences} differences`}.`,
  ]
}
