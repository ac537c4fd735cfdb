import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RestCall } from '../admin/rest.ts'
import { addListing, type Cli, type Listing } from '../cli.ts'
import { checkedInput } from './checked-input.ts'

/** A command that runs an operation of the REST API. */
interface RestCommand extends Omit<Listing<'rest', object>, 'operation' | 'input'>, Omit<RestCall, 'path' | 'body'> {
  /** Whether its argument identifies a record. */
  readonly ofOne?: boolean
  /** The body of the request, from the arguments and options. */
  body?(words: readonly string[], options: object): object | Promise<object>
}

/** By name. */
export type RestCommands = Readonly<Record<string, RestCommand>>

/** Completes a group of commands that run operations of the REST API. */
export function addRestCommands(cli: Cli, parent: Command, commands: RestCommands): void {
  for (const [name, { operationIds, many, isWritten, ofOne, body, ...shown }] of Object.entries(commands)) {
    const input = async (words: readonly string[], options: object) => ({
      ...{ operationIds, many, isWritten },
      path: ofOne ? { id: words[0] ?? '' } : undefined,
      body: await body?.(words, options),
    })
    addListing(cli, parent, name, { ...shown, operation: 'rest', input })
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
