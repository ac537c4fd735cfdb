import type { Command } from 'commander'
import type { Replayed } from '../admin/replay-relay.ts'
import { type Cli, withData } from '../cli.ts'
import { itemsOf } from '../output/items.ts'
import { example, JSON_LINES, type JsonOption } from '../output/options.ts'
import { writeItems } from '../output/write.ts'

/** `mint relay replay`. */
export function addRelay(mint: Command, cli: Cli): void {
  const relay = mint
    .command('relay')
    .summary('publish every business event again')
    .description('Looks after the relay, which publishes what happens to businesses.')
    .helpCommand(false)
  relay
    .command('replay')
    .summary('publish every business event again, from the first')
    .description(
      'Publishes every business event again, from the first, with the same ids. Clients know them ' +
        'already and stay as they are; a new consumer gets the whole past.',
    )
    .option(...JSON_LINES)
    .addHelpText('after', example('relay replay'))
    .action(async ({ json }: JsonOption) => {
      await withData(cli, (admin) => writeItems(cli, itemsOf(admin.run('replayRelay', {}), cli), { json, toLines }))
    })
}

function toLines({ events, published }: Replayed): readonly string[] {
  return [
    published
      ? `${events} events are published again.`
      : `${events} events will be published again when a relay is at work: at the next start.`,
  ]
}
