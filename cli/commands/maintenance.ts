import { Argument, type Command, Option } from 'commander'
import { SERVICE_PARTS, type ServicePart } from '../../shared/kinds/kind.ts'
import type { ItemOf } from '../admin/operations.ts'
import { addListing, type Cli } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { counted } from '../output/counted.ts'
import { addGroup } from './add-command.ts'

/** `cli/mint views rebuild`. */
export function addViews(mint: Command, cli: Cli): void {
  const about = 'Views are folded from the log, and serve reads.'
  addListing(cli, addGroup(mint, 'views', 'rebuild views from the log', about), 'rebuild', {
    summary: 'rebuild one view, or all of them, from the log',
    more: 'Reads and writes continue meanwhile.',
    takes: [new Argument('[name]', 'for example contracts; all if omitted')],
    example: 'contracts',
    operation: 'rebuildViews',
    input: ([name]) => ({ name }),
    toLines: ({ view, rows }) => [`Rebuilt ${view}: ${counted(rows, 'row')}.`],
  })
}

/** `cli/mint verify`. */
export function addVerify(mint: Command, cli: Cli): void {
  addListing(cli, mint, 'verify', {
    summary: 'replay the whole log and report what differs',
    more:
      'Checks positions, versions, times, totals, commit ids, clients, sequences, views and the sums of reports. Mint ' +
      'may keep running. Exit code 3: something differs.',
    operation: 'verify',
    toLines(item) {
      if (item.type === 'difference') return [`${item.part}: ${item.where}: ${item.message} (${item.kind})`]
      const { events, streams, differences } = item
      const outcome = differences === 0 ? 'all is well' : counted(differences, 'difference')
      return [`${counted(events, 'event')} of ${counted(streams, 'record')} checked: ${outcome}.`]
    },
    async atEnd(items) {
      // One is the summary, each of the others a difference.
      if (items === 1) return
      const message = 'Something differs: docs/cli.md says how to repair views, and what to do about the rest.'
      throw new CommandFailure(message, { exitCode: EXIT.differs })
    },
  })
}

/** `cli/mint relay replay`. */
export function addRelay(mint: Command, cli: Cli): void {
  addListing(cli, addGroup(mint, 'relay', 'publish every event again'), 'replay', {
    summary: 'publish every event again, from the first, with the same ids',
    more:
      'Clients that already have every event of their business stay as they are, others are completed; a new consumer ' +
      'gets the whole history. Contracts are published where there is Kafka.',
    options: [partOption('only the events of one service')],
    example: '--part businesses',
    operation: 'replayRelay',
    input: (_words, { part }: PartOption) => ({ part }),
    toLines: ({ part, events, published }) => [
      published
        ? `Published ${counted(events, 'event')} of ${part} again.`
        : `${counted(events, 'event')} of ${part} will be published again once a relay runs: at the next start.`,
    ],
  })
}

/** The parsed value of `partOption`; absent: both services. */
export interface PartOption {
  readonly part?: ServicePart
}

/** `--part`: one of the services that publish their logs. */
export const partOption = (about: string): Option => new Option('--part <part>', about).choices(SERVICE_PARTS)

/** `cli/mint dead-letters list|replay|discard`. */
export function addDeadLetters(mint: Command, cli: Cli): void {
  const why = 'The contracts service sets aside messages that it can’t understand, or that are not signed.'
  const letters = addGroup(mint, 'dead-letters', 'list, replay or discard messages that were set aside', why)
  const none = 'No messages are set aside.'
  addListing(cli, letters, 'list', {
    summary: 'list what was set aside and why, oldest first',
    example: '--json',
    operation: 'listDeadLetters',
    toLines: toLetterLines,
    none,
  })
  addListing(cli, letters, 'replay', {
    summary: 'handle one of them, or all, again',
    more: 'What still can’t be handled is set aside again.',
    takes: [new Argument('[id]', 'the id of one, as in `cli/mint dead-letters list`; all if omitted')],
    operation: 'replayDeadLetters',
    input: ([id]) => ({ id }),
    toLines: ({ id, outcome }) => [`${id}  ${outcome}`],
    none,
  })
  addListing(cli, letters, 'discard', {
    summary: 'forget one of them, or all, for example those that somebody else sent',
    more: 'The topic still has the messages, and `cli/mint relay replay` publishes those that are Mint’s again.',
    takes: [new Argument('<id>', 'the id of one, as in `cli/mint dead-letters list`, or `all`')],
    example: '84d762009406',
    operation: 'discardDeadLetters',
    input: ([id = '']) => ({ id }),
    toLines: ({ id }) => [`${id}  discarded`],
    none,
  })
}

function toLetterLines({ id, topic, key, type, reason, at, value }: ItemOf<'listDeadLetters'>): readonly string[] {
  const shown = value.length > 200 ? `${value.slice(0, 200)}…` : value
  return [
    `${id}  ${at}  ${topic}  ${type || 'without a type'}  key ${JSON.stringify(key)}`,
    `  ${reason}`,
    `  ${JSON.stringify(shown)}`,
  ]
}
