import type { Command } from 'commander'
import type { RebuiltView } from '../admin/rebuild-views.ts'
import { type Cli, show } from '../cli.ts'
import { example, JSON_LINES, type JsonOption } from '../output/options.ts'

/** `cli/mint views rebuild`. */
export function addViews(mint: Command, cli: Cli): void {
  const views = mint
    .command('views')
    .summary('build views anew from the log')
    .description('Looks after views: what is read, folded from the log.')
    .helpCommand(false)
  views
    .command('rebuild')
    .summary('build one view, or all of them, anew from the log')
    .description('Builds one view, or all of them, anew from the log. They are read and written meanwhile.')
    .argument('[name]', 'businesses, contracts, clients or api_keys; all when left out')
    .option(...JSON_LINES)
    .addHelpText('after', example('views rebuild contracts'))
    .action(async (name: string | undefined, options: JsonOption) => {
      await show(cli, ['rebuildViews', { name }], options, toLines)
    })
}

const toLines = ({ view, rows }: RebuiltView): readonly string[] => [`${view} is built anew: ${rows} rows.`]
