import { Argument, type Command, Option } from 'commander'
import type { z } from 'zod'
import type { closingShape } from '../../gateway/records/closing-record.ts'
import type { Cli } from '../cli.ts'
import { addGroup } from './add-command.ts'
import { checkedInput } from './checked-input.ts'
import { addRestCommands } from './rest-commands.ts'

/** `cli/mint closing show|set|history`. */
export function addClosing(mint: Command, cli: Cli): void {
  addRestCommands(cli, addGroup(mint, 'closing', 'close the books up to a day, or reopen them'), {
    show: {
      summary: 'show up to which day the books are closed, why, and who closed them',
      operationIds: ['getClosing'],
      isWritten: true,
      toLines,
      none: NONE,
    },
    set: {
      summary: 'close the books up to a day, or reopen them',
      more: 'Every process then refuses contracts dated up to and including that day.',
      takes: [new Argument('<day>', 'the last closed day, for example 2026-03-31; `none` reopens the books')],
      options: [new Option('--reason <text>', 'why; the history shows it').makeOptionMandatory()],
      example: "2026-03-31 --reason 'March is filed.'",
      operationIds: ['setClosing'],
      async body([day], { reason }: { reason: string }) {
        const { newClosing } = await import('../../gateway/records/closing-record.ts')
        // `null` is what the message about an invalid day names.
        const closedThrough = day === 'none' || day === 'null' ? null : day
        return await checkedInput(newClosing, { closedThrough, reason }, WORDS)
      },
      toLines,
    },
    history: {
      summary: 'list every closing and reopening, by whom and why, oldest first',
      operationIds: ['listClosingHistory'],
      many: 'events',
      toLines,
      none: NONE,
    },
  })
}

/** What the fields are called on the command line. */
const WORDS = { closedThrough: '<day>', reason: '--reason' }

const NONE = 'The books have never been closed.'

type Closing = z.output<typeof closingShape>

function toLines({ closedThrough, reason, at, by, byName }: Closing): readonly string[] {
  const what = closedThrough === null ? 'open' : `closed through ${closedThrough}`
  return [what, `  reason  ${reason}`, `  set     ${at} by ${byName === null ? by : `${byName} (${by})`}`]
}
