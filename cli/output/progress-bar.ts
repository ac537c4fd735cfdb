import { Presets, SingleBar } from 'cli-progress'
import type { Progress } from '../admin/running.ts'

/** A bar on a terminal, drawn only when the operation has taken `quietMilliseconds`, and anew for each of its parts. */
export function createProgressBar(stream: NodeJS.WritableStream, quietMilliseconds: number) {
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
