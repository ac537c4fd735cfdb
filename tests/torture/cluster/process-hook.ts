/**
 * Loaded into each process of Mint before its own modules (`--import`), as there is no other way to shift the clock of
 * one process: `Date` of the main thread goes by what the runner sends. Timers and the clocks of mongod and Kafka stay.
 *
 * TORTURE_CHANGE: a change of one source file, so that the process is of another version of Mint.
 * TORTURE_KAFKA: where the broker is that names itself KAFKA_BROKERS, which is an address of this host.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { endpoint, forward } from './forwarder.ts'
import type { SourceChange } from './source-change.ts'

if (process.env.TORTURE_CHANGE) changeSource(JSON.parse(process.env.TORTURE_CHANGE))
if (isMainThread) {
  shiftClockOnMessage()
  const { TORTURE_KAFKA: kafka, KAFKA_BROKERS: brokers } = process.env
  if (kafka && brokers) (await forward(endpoint(brokers), endpoint(kafka))).unref()
}

function shiftClockOnMessage(): void {
  const RealDate = Date
  let shift = 0
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
    shift = message.shiftMilliseconds
  })
  // A listener on the channel must not keep a process alive that has stopped.
  process.channel?.unref()
}

function changeSource({ file, text, replacement }: SourceChange): void {
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith(file)) return nextLoad(url, context)
      const source = readFileSync(new URL(url), 'utf8')
      const changed = source.replace(text, () => replacement)
      if (changed === source) throw new Error(`${file} has no ${text}`)
      return { ...nextLoad(url, context), source: changed }
    },
  })
}
