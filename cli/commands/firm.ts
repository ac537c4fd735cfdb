import type { Command } from 'commander'
import type { z } from 'zod'
import type { firmShape } from '../../gateway/records/firm-record.ts'
import { type Cli, list } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { checkedInput } from './checked-input.ts'
import { toLines as toHistoryLines } from './history.ts'

/** `cli/mint firm show|set|history`. */
export function addFirm(mint: Command, cli: Cli): void {
  const firm = mint
    .command('firm')
    .summary('show and edit the firm whose books these are')
    .description('Shows and sets the firm’s name, address, tax id, currency and time zone.')
    .helpCommand(false)
  const show = firm.command('show').summary('show the firm’s record').description('Shows the firm’s record.')
  list(cli, show, {
    operation: 'rest',
    example: 'firm show',
    input: () => ({ operationIds: ['getFirm'] }),
    toLines,
  })
  const set = firm
    .command('set')
    .summary('set fields of the firm’s record')
    .description(
      'Sets fields of the firm’s record; the others keep their values. Once there are contracts, a currency that has ' +
        'been set can’t be changed.',
    )
    .argument('<field=value...>', 'name, address, email, phone, taxId, currency or timeZone; `phone=` clears it')
  list(cli, set, {
    operation: 'rest',
    example: "firm set name='Harbour Accounting' currency=CAD",
    async input(words) {
      const { firmChanges } = await import('../../gateway/records/firm-record.ts')
      return { operationIds: ['editFirm'], body: await checkedInput(firmChanges, toChanges(words), {}) }
    },
    toLines,
  })
  const history = firm
    .command('history')
    .summary('show who changed what in the firm’s record, when and how')
    .description('Shows the history of the firm’s record, oldest change first.')
  const input = () => ({ kind: 'firm', id: 'firm' }) as const
  list(cli, history, { operation: 'history', example: 'firm history', input, toLines: toHistoryLines })
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
