import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'
import { type PartOption, partOption } from './part-option.ts'

/** `mint relay replay`. */
export function addRelay(mint: Command, cli: Cli): void {
  const replay = mint
    .command('relay')
    .summary('publish every event again')
    .description(
      'Manages the relays, which publish what happens to businesses and, where there is Kafka, to contracts.',
    )
    .helpCommand(false)
    .command('replay')
    .summary('publish every event again, from the first')
    .description(
      'Publishes every event again, from the first, with the same ids. Clients that already have every event of ' +
        'their business stay as they are, others are completed; a new consumer gets the whole history.',
    )
    .addOption(partOption('only the events of one service'))
  list(cli, replay, {
    operation: 'replayRelay',
    example: 'relay replay --part businesses',
    input: (_words, { part }: PartOption) => ({ part }),
    toLines: ({ part, events, published }) => [
      published
        ? `Published ${events} events of ${part} again.`
        : `${events} events of ${part} will be published again once a relay runs: at the next start.`,
    ],
  })
}
