/**
 * Loaded into each process of Mint before its own modules (`--import`), the only way to shift the clock of one process:
 * the main thread's `Date` follows what the runner sends. Timers and the clocks of mongod and Kafka are unaffected.
 *
 * TORTURE_CLOCK: the clock's initial error, in milliseconds; what the runner sends is added.
 * TORTURE_CHANGES: changes to source files, which make the process another version of Mint.
 * TORTURE_KAFKA: the real address of the broker that advertises KAFKA_BROKERS, an address on this host.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { endpoint, forward } from './forwarder.ts'
import type { SourceChange } from './source-change.ts'

if (process.env.TORTURE_CHANGES) changeSources(JSON.parse(process.env.TORTURE_CHANGES))
if (isMainThread) {
  shiftClock(Number(process.env.TORTURE_CLOCK ?? 0))
  const { TORTURE_KAFKA: kafka, KAFKA_BROKERS: brokers } = process.env
  if (kafka && brokers) (await forward(endpoint(brokers), endpoint(kafka))).unref()
}

function shiftClock(error: number): void {
  const RealDate = Date
  let shift = error
  class ShiftedDate extends RealDate {
    constructor(...given: [] | [number]) {
      if (given.length === 0) super(RealDate.now() + shift)
      else super(...given)
    }

    static override now(): number {
      return RealDate.now() + shift
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor
  process.on('message', (message: { readonly shiftMilliseconds: number }) => {
    shift = error + message.shiftMilliseconds
  })
  // A listener on the channel must not keep a stopped process alive.
  process.channel?.unref()
}

function changeSources(changes: readonly SourceChange[]): void {
  registerHooks({
    load(url, context, nextLoad) {
      const ofFile = changes.filter(({ file }) => url.endsWith(file))
      if (ofFile.length === 0) return nextLoad(url, context)
      const source = ofFile.reduce(
        (before, { file, text, replacement }) => {
          if (!before.includes(text)) throw new Error(`${file} has no ${text}`)
          return before.replace(text, () => replacement)
        },
        readFileSync(new URL(url), 'utf8'),
      )
      return { ...nextLoad(url, context), source }
    },
  })
}
