import { Argument, type Command } from 'commander'
import type { Change, HistoryKind } from '../admin/history.ts'
import { type Cli, withData } from '../cli.ts'
import { itemsOf } from '../output/items.ts'
import { JSON_LINES } from '../output/options.ts'
import { writeItems } from '../output/write.ts'

/** `mint history contract 7`. */
export function addHistory(mint: Command, cli: Cli): void {
  mint
    .command('history')
    .summary('show who changed what of a record, when, from what to what')
    .description('Shows the history of a contract or a business, oldest change first.')
    .addArgument(new Argument('<kind>', 'contract or business').choices(['contract', 'business']))
    .argument('<id>', 'the number of a contract, or the id of a business')
    .option(...JSON_LINES)
    .addHelpText('after', '\nExample:\n  mint history contract 7')
    .action(async (kind: HistoryKind, id: string, { json }: { json?: boolean }) => {
      await withData(cli, async (admin) => {
        await writeItems(cli, itemsOf(admin.run('history', { kind, id }), cli), { json, toLines })
      })
    })
}

function toLines({ version, type, at, by, byName, fields }: Change): readonly string[] {
  const who = byName === null ? by : `${byName} (${by})`
  const width = Math.max(0, ...fields.map(({ field }) => field.length))
  const isFirst = version === 1
  return [
    `${version}  ${at}  ${type}  by ${who}`,
    ...fields.map(({ field, from, to }) => {
      const change = isFirst ? inWords(to) : `${inWords(from)} → ${inWords(to)}`
      return `     ${field.padEnd(width)}  ${change}`
    }),
    '',
  ]
}

/** Numbers and plain words as they are; the rest as JSON, so that an empty text or a line break can be seen. */
function inWords(value: unknown): string {
  return typeof value === 'string' && /^[\p{L}\p{N}\p{P}\p{S}]+( [\p{L}\p{N}\p{P}\p{S}]+)*$/u.test(value)
    ? value
    : JSON.stringify(value)
}
