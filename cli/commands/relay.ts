import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'

/** `mint relay replay`. */
export function addRelay(mint: Command, cli: Cli): void {
  const replay = mint
    .command('relay')
    .summary('publish every business event again')
    .description('Looks after the relay, which publishes what happens to businesses.')
    .helpCommand(false)
    .command('replay')
    .summary('publish every business event again, from the first')
    .description(
      'Publishes every business event again, from the first, with the same ids. Clients know them ' +
        'already and stay as they are; a new consumer gets the whole past.',
    )
  list(cli, replay, {
    operation: 'replayRelay',
    example: 'relay replay',
    toLines: ({ events, published }) => [
      published
        ? `${events} events are published again.`
        : `${events} events will be published again when a relay is at work: at the next start.`,
    ],
  })
}
