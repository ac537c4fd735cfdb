import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'
import { counted } from '../output/counted.ts'
import { addCommand, addGroup } from './add-command.ts'

/** `cli/mint views rebuild`. */
export function addViews(mint: Command, cli: Cli): void {
  const rebuild = addCommand(
    addGroup(mint, 'views', 'rebuild views from the log', 'Views are folded from the log, and serve reads.'),
    'rebuild',
    'rebuild one view, or all of them, from the log',
    'Reads and writes continue meanwhile.',
  ).argument('[name]', 'for example contracts; all if omitted')
  list(cli, rebuild, {
    operation: 'rebuildViews',
    example: 'contracts',
    input: ([name]) => ({ name }),
    toLines: ({ view, rows }) => [`Rebuilt ${view}: ${counted(rows, 'row')}.`],
  })
}
