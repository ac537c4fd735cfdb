import type { Report } from '../admin/report.ts'
import type { Output } from './write.ts'

/** How long an operation runs before it shows its progress, in milliseconds. */
const QUIET_MILLISECONDS = 1_000

/** The items of an operation. On a terminal, one that takes longer shows its progress as a bar. */
export async function* withBar<Item>(
  { err }: Pick<Output, 'err'>,
  run: (report: Report) => AsyncIterable<Item>,
  quietMilliseconds = QUIET_MILLISECONDS,
): AsyncGenerator<Item> {
  const bar = err.isTTY ? await createBar(err, quietMilliseconds) : undefined
  try {
    for await (const item of run((...progress) => bar?.show(...progress))) {
      bar?.pause()
      yield item
    }
  } finally {
    bar?.pause()
  }
}

/** A bar, drawn only after `quietMilliseconds`, and a new one for each step of the operation. */
async function createBar(stream: NodeJS.WritableStream, quietMilliseconds: number) {
  // Loaded only when it is needed: `mint start` imports this file as well.
  const { Presets, SingleBar } = await import('cli-progress')
  const begun = performance.now()
  let drawn: { readonly what: string; readonly bar: InstanceType<typeof SingleBar> } | undefined
  function pause(): void {
    drawn?.bar.stop()
    drawn = undefined
  }
  const show: Report = (what, done, total) => {
    if (performance.now() - begun < quietMilliseconds) return
    if (drawn?.what !== what) {
      pause()
      const format = `${what} {bar} {percentage} % | {value}/{total} | {eta_formatted} left`
      const bar = new SingleBar({ format, stream, clearOnComplete: true, gracefulExit: false }, Presets.shades_classic)
      bar.start(total, done)
      drawn = { what, bar }
    }
    drawn.bar.setTotal(total)
    drawn.bar.update(done)
  }
  // `pause` removes it before a line of output.
  return { show, pause }
}
