/**
 * `npm run bench:micro`: the processor time of the core's operations, as multiples of a fixed reference measured in
 * between (a contract to JSON and back), so that neither the machine nor its load matters much. Exits with 1 if any
 * exceeds its limit. Limits have wide margins: they catch large regressions, not a few percent.
 */

import { median } from './measure/rounds.ts'
import { CASES, type MicroCase, reference } from './micro/cases.ts'
import { slowCases } from './micro/slow-cases.ts'

const ROUNDS = 5
const WARM_UPS = 2
const REFERENCE_TIMES = 20_000

const ends: (() => unknown)[] = []
try {
  const cases = [...CASES, ...(await slowCases((end) => ends.push(end)))]
  for (const { name, limit, ratio } of await measure(cases)) {
    const verdict = ratio <= limit ? 'ok' : 'TOO SLOW'
    console.log(`${ratio.toFixed(2).padStart(9)} × the reference (limit ${limit})  ${verdict}  ${name}`)
    if (ratio > limit) process.exitCode = 1
  }
} finally {
  for (const end of ends.reverse()) await end()
}

async function measure(cases: readonly MicroCase[]) {
  const ratios = cases.map((): number[] => [])
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const [index, { run, times }] of cases.entries()) {
      const unit = (await processorTime(() => reference(REFERENCE_TIMES))) / REFERENCE_TIMES
      const ratio = (await processorTime(() => run(times))) / times / unit
      if (round >= 0) ratios[index]?.push(ratio)
    }
  }
  return cases.map(({ name, limit }, index) => ({ name, limit, ratio: median(ratios[index] ?? []) }))
}

/** Of all threads of this process, in microseconds. */
async function processorTime(work: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
