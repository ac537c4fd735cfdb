import type { Command } from 'commander'
import type { z } from 'zod'
import type { closingShape } from '../../gateway/records/closing-record.ts'
import { type Cli, list } from '../cli.ts'
import { checkedInput } from './checked-input.ts'

/** `cli/mint closing show|set|history`. */
export function addClosing(mint: Command, cli: Cli): void {
  const closing = mint
    .command('closing')
    .summary('close the books up to a day, or reopen them')
    .description('Shows and sets the day up to which contracts can be neither created nor edited.')
    .helpCommand(false)
  const show = closing
    .command('show')
    .summary('show up to which day the books are closed')
    .description('Shows up to which day the books are closed, why, and who closed them.')
  list(cli, show, {
    operation: 'rest',
    example: 'closing show',
    input: () => ({ operationIds: ['getClosing'], isWritten: true }),
    toLines,
    none: NONE,
  })
  const set = closing
    .command('set')
    .summary('close the books up to a day, or reopen them')
    .description('Closes the books up to and including a day. Every process then refuses writes dated up to it.')
    .argument('<day>', 'the last closed day, for example 2026-03-31; `none` reopens the books')
    .requiredOption('--reason <text>', 'why; the history shows it')
  list(cli, set, {
    operation: 'rest',
    example: "closing set 2026-03-31 --reason 'March is filed.'",
    async input([day], { reason }: { reason: string }) {
      const { newClosing } = await import('../../gateway/records/closing-record.ts')
      const given = { closedThrough: day === 'none' ? null : day, reason }
      return { operationIds: ['setClosing'], body: await checkedInput(newClosing, given, WORDS) }
    },
    toLines,
  })
  const history = closing
    .command('history')
    .summary('list every closing and reopening')
    .description('Lists every closing and reopening, by whom and why, oldest first.')
  const input = () => ({ operationIds: ['listClosingHistory'], many: 'events' })
  list(cli, history, { operation: 'rest', example: 'closing history', input, toLines, none: NONE })
}

/** What the fields are called on the command line. */
const WORDS = { closedThrough: '<day>', reason: '--reason' }

const NONE = 'The books have never been closed.'

type Closing = z.output<typeof closingShape>

function toLines({ closedThrough, reason, at, by, byName }: Closing): readonly string[] {
  const what = closedThrough === null ? 'open' : `closed through ${closedThrough}`
  return [what, `  reason  ${reason}`, `  set     ${at} by ${byName === null ? by : `${byName} (${by})`}`]
}
