import type { Command } from 'commander'
import type { ItemOf } from '../admin/operations.ts'
import { type Cli, list } from '../cli.ts'
import { addCommand, addGroup } from './add-command.ts'

/** `cli/mint dead-letters list|replay`. */
export function addDeadLetters(mint: Command, cli: Cli): void {
  const why = 'The contracts service sets aside messages that it can’t understand or confirm.'
  const letters = addGroup(mint, 'dead-letters', 'list messages that were set aside, or handle them again', why)
  const listing = addCommand(letters, 'list', 'list what was set aside and why, oldest first')
  const again = 'What still can’t be handled is set aside again.'
  const replay = addCommand(letters, 'replay', 'handle one of them, or all, again', again).argument(
    '[id]',
    'the id of one, as in `cli/mint dead-letters list`; all if omitted',
  )
  const none = 'No messages are set aside.'
  list(cli, listing, { operation: 'listDeadLetters', example: '--json', toLines, none })
  list(cli, replay, {
    operation: 'replayDeadLetters',
    input: ([id]) => ({ id }),
    toLines: ({ id, outcome }) => [`${id}  ${outcome}`],
    none,
  })
}

function toLines({ id, topic, key, type, reason, at, value }: ItemOf<'listDeadLetters'>): readonly string[] {
  const shown = value.length > 200 ? `${value.slice(0, 200)}…` : value
  return [
    `${id}  ${at}  ${topic}  ${type || 'without a type'}  key ${JSON.stringify(key)}`,
    `  ${reason}`,
    `  ${JSON.stringify(shown)}`,
  ]
}
