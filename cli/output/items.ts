import { Presets, SingleBar } from 'cli-progress'
import type { Progress, Running } from '../admin/running.ts'
import type { Cli } from '../cli.ts'

/** How long an operation takes before it shows how far it has come, in milliseconds. */
const QUIET_MILLISECONDS = 1_000

/** The items of an operation; how far it has come is drawn as a bar, on a terminal and when it takes longer. */
export async function* itemsOf<Item>(
  running: Running<Item>,
  { err }: Pick<Cli, 'err'>,
  quietMilliseconds = QUIET_MILLISECONDS,
): AsyncGenerator<Item> {
  const bar = err.isTTY ? createBar(err, quietMilliseconds) : undefined
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

function createBar(stream: NodeJS.WritableStream, quietMilliseconds: number) {
  const begun = performance.now()
  let drawn: { readonly what: string; readonly bar: SingleBar } | undefined
  function pause(): void {
    drawn?.bar.stop()
    drawn = undefined
  }
  return {
    show({ what, done, total }: Progress): void {
      if (performance.now() - begun < quietMilliseconds) return
      if (drawn?.what !== what) {
        pause()
        const format = `${what} {bar} {percentage} % | {value}/{total} | {eta_formatted} left`
        const bar = new SingleBar(
          { format, stream, clearOnComplete: true, gracefulExit: false },
          Presets.shades_classic,
        )
        bar.start(total, done)
        drawn = { what, bar }
      }
      drawn.bar.setTotal(total)
      drawn.bar.update(done)
    },
    /** Takes the bar away, for a line of output to come. */
    pause,
  }
}
