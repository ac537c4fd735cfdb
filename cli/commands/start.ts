import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { example } from '../output/options.ts'

const DEMO = 'a made-up firm: 200 businesses, 5,000 contracts, three years'

/** `mint start` and `mint demo`. */
export function addStart(mint: Command, { environment }: Cli): void {
  const start = async (demo: boolean) => await (await import('../start/command.ts')).start(environment, demo)
  mint
    .command('start')
    .summary('start Mint in one process, with its data in DATA_DIR')
    .description('Starts Mint in this one process, with its data in DATA_DIR, until Ctrl-C.')
    .option('--demo', `fill an empty DATA_DIR with ${DEMO}`)
    .addHelpText('after', example('start', 'DATA_DIR=./data PORT=8080 '))
    .action(({ demo = false }: { demo?: boolean }) => start(demo))
  mint
    .command('demo')
    .summary('start Mint with a made-up firm in an empty DATA_DIR')
    .description(`Starts Mint, and first fills an empty DATA_DIR with ${DEMO}.`)
    .addHelpText('after', example('demo', 'DATA_DIR=./demo '))
    .action(() => start(true))
}
