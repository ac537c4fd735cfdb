import assert from 'node:assert/strict'
import { growthOf, type Sample } from '../../../bench/soak/growth.ts'

/** Forty intervals, each computed from its progress (0 to 1). */
const along = (make: (part: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 40 }, (_, index) => ({
    p50Milliseconds: 2,
    p99Milliseconds: 8,
    reference: { p50Milliseconds: 1, p99Milliseconds: 4 },
    megabytes: 150,
    failures: [],
    ...make(index / 39),
  }))

describe('The soak’s verdict', () => {
  it('passes figures that stay level, even if they fluctuate and take time to warm up', () => {
    const wavering = along((part) => ({
      megabytes: part < 0.1 ? 100 : 150 + 5 * Math.sin(part * 40),
      p99Milliseconds: part < 0.1 ? 80 : 8 + 2 * Math.cos(part * 60),
    }))
    assert.equal(growthOf(wavering).hasGrown, false)
  })

  it('passes latencies that rise only as much as the machine’s own', () => {
    const slower = along((part) => ({
      p50Milliseconds: 2 + 4 * part,
      p99Milliseconds: 8 + 16 * part,
      reference: { p50Milliseconds: 1 + 2 * part, p99Milliseconds: 4 + 8 * part },
    }))
    assert.equal(growthOf(slower).hasGrown, false)
  })

  for (const [what, growing] of Object.entries({
    memory: along((part) => ({ megabytes: 150 + 60 * part })),
    'the median latency': along((part) => ({ p50Milliseconds: 2 + 2 * part })),
    'the slowest latency': along((part) => ({ p99Milliseconds: 8 + 12 * part })),
  })) {
    it(`finds that ${what} grows`, () => {
      const { hasGrown, lines } = growthOf(growing)
      assert.equal(hasGrown, true)
      assert.equal(lines.filter((line) => line.endsWith('GROWN')).length, 1)
    })
  }

  it('fails if requests failed, or if the load was too short to judge', () => {
    assert.equal(
      growthOf(along((part) => ({ failures: part === 0.5 || part === 1 ? ['refused'] : [] }))).hasGrown,
      true,
    )
    assert.equal(growthOf([]).hasGrown, true)
  })
})
