import type { Command } from 'commander'
import { type Cli, list } from '../cli.ts'

/** `cli/mint views rebuild`. */
export function addViews(mint: Command, cli: Cli): void {
  const rebuild = mint
    .command('views')
    .summary('build views anew from the log')
    .description('Looks after views: what is read, folded from the log.')
    .helpCommand(false)
    .command('rebuild')
    .summary('build one view, or all of them, anew from the log')
    .description('Builds one view, or all of them, anew from the log. They are read and written meanwhile.')
    .argument('[name]', 'businesses, contracts, clients or api_keys; all when left out')
  list(cli, rebuild, {
    operation: 'rebuildViews',
    example: 'views rebuild contracts',
    input: ([name]) => ({ name }),
    toLines: ({ view, rows }) => [`${view} is built anew: ${rows} rows.`],
  })
}
