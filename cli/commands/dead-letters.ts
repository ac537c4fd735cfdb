import type { Command } from 'commander'
import type { ListedLetter } from '../admin/dead-letters.ts'
import { type Cli, list } from '../cli.ts'

/** `cli/mint dead-letters list|replay`. */
export function addDeadLetters(mint: Command, cli: Cli): void {
  const letters = mint
    .command('dead-letters')
    .summary('list messages that were set aside, or publish them again')
    .description(
      'Lists, or publishes again, messages that the contracts service set aside because it could not understand or ' +
        'confirm them.',
    )
    .helpCommand(false)
  const listing = letters
    .command('list')
    .summary('list what was set aside and why, oldest first')
    .description('Lists what was set aside and why, oldest first.')
  const replay = letters
    .command('replay')
    .summary('publish one of them, or all, again')
    .description('Publishes one of them, or all, again. What still can’t be handled is set aside again.')
    .argument('[id]', 'the id of one, as in `cli/mint dead-letters list`; all if omitted')
  const none = 'No messages are set aside.'
  list(cli, listing, { operation: 'listDeadLetters', example: 'dead-letters list --json', toLines, none })
  list(cli, replay, {
    operation: 'replayDeadLetters',
    example: 'dead-letters replay',
    input: ([id]) => ({ id }),
    toLines: ({ id, outcome }) => [`${id}  ${outcome}`],
    none,
  })
}

function toLines({ id, topic, key, type, reason, at, value }: ListedLetter): readonly string[] {
  const shown = value.length > 200 ? `${value.slice(0, 200)}…` : value
  return [
    `${id}  ${at}  ${topic}  ${type || 'without a type'}  key ${JSON.stringify(key)}`,
    `  ${reason}`,
    `  ${JSON.stringify(shown)}`,
  ]
}
