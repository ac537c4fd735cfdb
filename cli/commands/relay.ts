import type { Command } from 'commander'
import type { Replayed } from '../admin/replay-relay.ts'
import { type Cli, show } from '../cli.ts'
import { example, JSON_LINES, type JsonOption } from '../output/options.ts'

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
    .action(async (options: JsonOption) => {
      await show(cli, ['replayRelay', {}], options, toLines)
    })
}

function toLines({ events, published }: Replayed): readonly string[] {
  return [
    published
      ? `${events} events are published again.`
      : `${events} events will be published again when a relay is at work: at the next start.`,
  ]
}
