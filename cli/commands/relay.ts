import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'
import { counted } from '../output/counted.ts'
import { addCommand, addGroup } from './add-command.ts'
import { type PartOption, partOption } from './part-option.ts'

/** `mint relay replay`. */
export function addRelay(mint: Command, cli: Cli): void {
  const replay = addCommand(
    addGroup(mint, 'relay', 'publish every event again'),
    'replay',
    'publish every event again, from the first, with the same ids',
    'Clients that already have every event of their business stay as they are, others are completed; a new consumer ' +
      'gets the whole history. Contracts are published where there is Kafka.',
  ).addOption(partOption('only the events of one service'))
  list(cli, replay, {
    operation: 'replayRelay',
    example: '--part businesses',
    input: (_words, { part }: PartOption) => ({ part }),
    toLines: ({ part, events, published }) => [
      published
        ? `Published ${counted(events, 'event')} of ${part} again.`
        : `${counted(events, 'event')} of ${part} will be published again once a relay runs: at the next start.`,
    ],
  })
}
