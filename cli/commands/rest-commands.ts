import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RestCall } from '../admin/rest.ts'
import { type Cli, list } from '../cli.ts'
import { addCommand } from './add-command.ts'
import { checkedInput } from './checked-input.ts'

/** A command that runs an operation of the REST API. */
interface RestCommand extends Omit<RestCall, 'path' | 'body'> {
  readonly summary: string
  /** What its own `--help` says besides. */
  readonly more?: string
  readonly argument?: readonly [name: string, description: string]
  readonly options?: readonly Option[]
  /** Its arguments in the example of `--help`. */
  readonly example?: string
  /** Whether its argument identifies a record. */
  readonly ofOne?: boolean
  /** The body of the request, from the arguments and options. */
  body?(words: readonly string[], options: object): object | Promise<object>
  /** Formats a record for people. */
  toLines(record: object): readonly string[]
  /** What to say where there are no records. */
  readonly none?: string
}

/** By name. */
export type RestCommands = Readonly<Record<string, RestCommand>>

/** Completes a group of commands that run operations of the REST API. */
export function addRestCommands(cli: Cli, parent: Command, commands: RestCommands): void {
  for (const [name, definition] of Object.entries(commands)) {
    const { summary, more, argument, options = [], example, ofOne, body, toLines, none, ...call } = definition
    const command = addCommand(parent, name, summary, more)
    if (argument) command.argument(...argument)
    for (const option of options) command.addOption(option)
    list(cli, command, {
      operation: 'rest',
      example,
      input: async (words, given) => ({
        ...call,
        path: ofOne ? { id: words[0] ?? '' } : undefined,
        body: await body?.(words, given),
      }),
      toLines,
      none,
    })
  }
}

/** For how long earlier secrets stay valid; see toRotation. */
export const graceOption = (about: string): Option =>
  new Option('--grace <seconds>', about).argParser(toSeconds).default(0)

function toSeconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('Give a whole number of seconds.')
  return Number(text)
}

/** The body of a rotation. */
export async function toRotation(_words: unknown, { grace }: { readonly grace: number }): Promise<object> {
  const { rotation } = await import('../../gateway/records/api-key-record.ts')
  return await checkedInput(rotation, { graceSeconds: grace }, { graceSeconds: '--grace' })
}
