import type { Running } from '../admin/running.ts'
import type { Cli } from '../cli.ts'

/** How long an operation takes before it shows how far it has come, in milliseconds. */
const QUIET_MILLISECONDS = 1_000

/** The items of an operation; how far it has come is drawn as a bar, on a terminal and when it takes longer. */
export async function* itemsOf<Item>(
  running: Running<Item>,
  { err }: Pick<Cli, 'err'>,
  quietMilliseconds = QUIET_MILLISECONDS,
): AsyncGenerator<Item> {
  // Loaded only where it is drawn: `mint start` comes by this file as well.
  const bar = err.isTTY ? (await import('./progress-bar.ts')).createProgressBar(err, quietMilliseconds) : undefined
  try {
    for await (const message of running) {
      if (message.type === 'item') {
        bar?.pause()
        yield message.item
      } else bar?.show(message.progress)
    }
  } finally {
    bar?.pause()
  }
}
