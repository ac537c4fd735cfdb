import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'

/** `mint relay replay`. */
export function addRelay(mint: Command, cli: Cli): void {
  const replay = mint
    .command('relay')
    .summary('publish every business event again')
    .description('Manages the relay, which publishes what happens to businesses.')
    .helpCommand(false)
    .command('replay')
    .summary('publish every business event again, from the first')
    .description(
      'Publishes every business event again, from the first, with the same ids. Clients that know ' +
        'them all stay as they are, others are completed; a new consumer gets the whole history.',
    )
  list(cli, replay, {
    operation: 'replayRelay',
    example: 'relay replay',
    toLines: ({ events, published }) => [
      published
        ? `Published ${events} events again.`
        : `${events} events will be published again once a relay runs: at the next start.`,
    ],
  })
}
