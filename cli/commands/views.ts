import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'

/** `cli/mint views rebuild`. */
export function addViews(mint: Command, cli: Cli): void {
  const rebuild = mint
    .command('views')
    .summary('rebuild views from the log')
    .description('Manages views, which are folded from the log and serve reads.')
    .helpCommand(false)
    .command('rebuild')
    .summary('rebuild one view, or all of them, from the log')
    .description('Rebuilds one view, or all of them, from the log. Reads and writes continue meanwhile.')
    .argument('[name]', 'businesses, contracts, clients or api_keys; all if omitted')
  list(cli, rebuild, {
    operation: 'rebuildViews',
    example: 'views rebuild contracts',
    input: ([name]) => ({ name }),
    toLines: ({ view, rows }) => [`Rebuilt ${view}: ${rows} rows.`],
  })
}
