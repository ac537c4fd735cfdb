import type { Command } from 'commander'
import type { ListedLetter, ReplayedLetter } from '../admin/dead-letters.ts'
import { type Cli, show } from '../cli.ts'
import { example, JSON_LINES, type JsonOption } from '../output/options.ts'
import { writeLine } from '../output/write.ts'

/** `cli/mint dead-letters list|replay`. */
export function addDeadLetters(mint: Command, cli: Cli): void {
  const sayIfNone = async (count: number, { json }: JsonOption): Promise<void> => {
    if (count === 0 && !json) await writeLine(cli, 'There are no dead letters.')
  }
  const letters = mint
    .command('dead-letters')
    .summary('list messages that were set aside, publish them again')
    .description('Looks after messages that the contracts service could not understand and set aside.')
    .helpCommand(false)
  letters
    .command('list')
    .summary('list what was set aside and why, oldest first')
    .description('Lists what was set aside and why, oldest first.')
    .option(...JSON_LINES)
    .addHelpText('after', example('dead-letters list --json'))
    .action(async (options: JsonOption) => {
      const count = await show(cli, ['listDeadLetters', {}], options, toListLines)
      await sayIfNone(count, options)
    })
  letters
    .command('replay')
    .summary('publish one of them, or all, again')
    .description('Publishes one of them, or all, again. What is still not understood is set aside again.')
    .argument('[id]', 'the id of one, as in `cli/mint dead-letters list`; all when left out')
    .option(...JSON_LINES)
    .addHelpText('after', example('dead-letters replay'))
    .action(async (id: string | undefined, options: JsonOption) => {
      const count = await show(cli, ['replayDeadLetters', { id }], options, toReplayLines)
      await sayIfNone(count, options)
    })
}

function toListLines({ id, topic, key, type, reason, at, value }: ListedLetter): readonly string[] {
  const shown = value.length > 200 ? `${value.slice(0, 200)}…` : value
  return [
    `${id}  ${at}  ${topic}  ${type || 'without a type'}  key ${JSON.stringify(key)}`,
    `  ${reason}`,
    `  ${JSON.stringify(shown)}`,
  ]
}

const toReplayLines = ({ id, outcome }: ReplayedLetter): readonly string[] => [`${id}  ${outcome}`]
