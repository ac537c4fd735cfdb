import { median } from '../measure/rounds.ts'
import type { Latencies } from './load.ts'

/** The measurements of one interval. */
export interface Sample extends Latencies {
  /** Right after it, under the same load: shows how fast the machine was. */
  readonly reference: Omit<Latencies, 'failures'>
  /** Resident memory of all processes together. */
  readonly megabytes: number
}

/** The share ignored at the start, while caches fill, code is compiled and the heap grows. */
const WARM_UP_PART = 0.2
/** What must not grow: how far the last third may exceed the first and still count as the same. */
const MEASURES: readonly { readonly name: string; readonly of: (sample: Sample) => number; readonly margin: number }[] =
  [
    { name: 'megabytes', of: ({ megabytes }) => megabytes, margin: 1.1 },
    {
      name: 'p50 ÷ that of the reference',
      of: ({ p50Milliseconds, reference }) => p50Milliseconds / reference.p50Milliseconds,
      margin: 1.3,
    },
    {
      name: 'p99 ÷ that of the reference',
      of: ({ p99Milliseconds, reference }) => p99Milliseconds / reference.p99Milliseconds,
      margin: 1.5,
    },
  ]

/** Compares the last third of a load with its first, in words. */
export function growthOf(samples: readonly Sample[]): {
  readonly lines: readonly string[]
  readonly hasGrown: boolean
} {
  const warm = samples.slice(Math.ceil(samples.length * WARM_UP_PART))
  const third = Math.ceil(warm.length / 3)
  const grown = MEASURES.map(({ name, of, margin }) => {
    const [first, last] = [median(warm.slice(0, third).map(of)), median(warm.slice(-third).map(of))]
    const line = `${name}: ${first.toFixed(1)} in the first third, ${last.toFixed(1)} in the last (${(last / first).toFixed(2)} ×)`
    return { line, hasGrown: !(last / first <= margin) }
  })
  const failed = samples.reduce((sum, sample) => sum + sample.failures.length, 0)
  return {
    lines: [...grown.map(({ line, hasGrown }) => `${line}${hasGrown ? '  GROWN' : ''}`), `${failed} requests failed`],
    hasGrown: failed > 0 || grown.some(({ hasGrown }) => hasGrown),
  }
}
