import { Command } from 'commander'

const mint = new Command('mint').description('Contracts and businesses, every change kept as an event, over REST.')

mint
  .command('start')
  .description('Starts Mint in this one process, with its data in DATA_DIR.')
  .option('--demo', 'fill an empty DATA_DIR with a made-up firm: 200 businesses, 5,000 contracts, three years')
  .action(async ({ demo = false }: { demo?: boolean }) => {
    const { start } = await import('./start/command.ts')
    await start(process.env, { demo })
  })

await mint.parseAsync()
