import { Argument, type Command } from 'commander'
import type { z } from 'zod'
import type { firmShape } from '../../gateway/records/firm-record.ts'
import { addListing, type Cli } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { addGroup } from './add-command.ts'
import { checkedInput } from './checked-input.ts'
import { toLines as toHistoryLines } from './history.ts'
import { addRestCommands } from './rest-commands.ts'

/** `cli/mint firm show|set|history`. */
export function addFirm(mint: Command, cli: Cli): void {
  const firm = addGroup(mint, 'firm', 'show and edit the firm whose books these are')
  addRestCommands(cli, firm, {
    show: { summary: 'show the firm’s record', operationIds: ['getFirm'], toLines },
    set: {
      summary: 'set fields of the firm’s record',
      more: 'The others keep their values. Once there are contracts, a currency that has been set can’t be changed.',
      takes: [
        new Argument(
          '<field=value...>',
          'name, address, email, phone, taxId, currency or timeZone; `phone=` clears it',
        ),
      ],
      example: "name='Harbour Accounting' currency=CAD",
      operationIds: ['editFirm'],
      async body(words) {
        const { firmChanges } = await import('../../gateway/records/firm-record.ts')
        return await checkedInput(firmChanges, toChanges(words), {})
      },
      toLines,
    },
  })
  addListing(cli, firm, 'history', {
    summary: 'show who changed what in the firm’s record, when and how',
    operation: 'history',
    input: () => ({ kind: 'firm', id: 'firm' }),
    toLines: toHistoryLines,
  })
}

/** Without a prototype, so that `__proto__` is rejected like any other unknown name. */
function toChanges(words: readonly string[]): Record<string, string> {
  const changes: Record<string, string> = Object.create(null)
  for (const [name, value] of words.map(toField)) {
    if (name in changes) throw new CommandFailure(`${name}: Given twice. Give it once.`, { exitCode: EXIT.usage })
    changes[name] = value
  }
  return changes
}

function toField(word: string): readonly [name: string, value: string] {
  const [name = '', ...value] = word.split('=')
  if (value.length > 0) return [name, value.join('=')]
  throw new CommandFailure(`${word}: Give a field and its value, as in currency=CAD.`, { exitCode: EXIT.usage })
}

function toLines({
  version: _,
  ...fields
}: z.output<typeof firmShape> & { readonly version: number }): readonly string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).flatMap(([name, value]) =>
    (value ?? 'never')
      .split('\n')
      .map((line, index) => `${(index === 0 ? name : '').padEnd(width)}  ${line}`.trimEnd()),
  )
}
