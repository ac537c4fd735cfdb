import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { addCommand, addExample } from './add-command.ts'

const DEMO = 'a made-up firm: 200 businesses, 5,000 contracts, three years'

/** `mint start` and `mint demo`. */
export function addStart(mint: Command, { environment }: Cli): void {
  const start = async (demo: boolean) => await (await import('../start/command.ts')).start(environment, demo)
  const starting = addCommand(mint, 'start', 'start Mint in one process, with its data in DATA_DIR', 'Ctrl-C stops it.')
  addExample(starting, '', 'DATA_DIR=./data PORT=8080 ')
    .option('--demo', `fill an empty DATA_DIR with ${DEMO}`)
    .action(({ demo = false }: { demo?: boolean }) => start(demo))
  const filling = addCommand(mint, 'demo', 'start Mint with a made-up firm in an empty DATA_DIR', `It is ${DEMO}.`)
  addExample(filling, '', 'DATA_DIR=./demo ').action(() => start(true))
}
