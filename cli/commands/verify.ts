import type { Command } from 'commander'
import type { VerifyItem } from '../admin/verify/verify.ts'
import { type Cli, list } from '../cli.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { counted } from '../output/counted.ts'
import { addCommand } from './add-command.ts'

/** `mint verify`. */
export function addVerify(mint: Command, cli: Cli): void {
  const command = addCommand(
    mint,
    'verify',
    'replay the whole log and report what differs',
    'Checks positions, versions, times, totals, commit ids, clients, sequences, views and the sums of reports. Mint ' +
      'may keep running. Exit code 3: something differs.',
  )
  const atEnd = async (items: number): Promise<void> => {
    // One is the summary, each of the others a difference.
    if (items === 1) return
    const message = 'Something differs: docs/cli.md says how to repair views, and what to do about the rest.'
    throw new CommandFailure(message, { exitCode: EXIT.differs })
  }
  list(cli, command, { operation: 'verify', toLines, atEnd })
}

function toLines(item: VerifyItem): readonly string[] {
  if (item.type === 'difference') return [`${item.part}: ${item.where}: ${item.message} (${item.kind})`]
  const { events, streams, differences } = item
  const outcome = differences === 0 ? 'all is well' : counted(differences, 'difference')
  return [`${counted(events, 'event')} of ${counted(streams, 'record')} checked: ${outcome}.`]
}
