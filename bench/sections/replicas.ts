import { inTurns } from '../measure/rounds.ts'
import { postLoad, startSeparate } from '../mint.ts'
import { ratioOf, requestRows, type SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

const ONE = 'one contracts process'
const THREE = 'three contracts processes'

/** Contracts created through one gateway, with more contracts processes behind it than one. */
export async function measureReplicas(bench: Bench): Promise<SectionResult> {
  const { pace, onEnd } = bench
  const engines = enginesOf(bench)
  const one = onEnd(await startSeparate(engines))
  const three = onEnd(await startSeparate(engines, { contracts: 3 }))
  const measured = await inTurns(
    [
      { name: ONE, load: postLoad(one.url, one.key), pids: one.pids },
      { name: THREE, load: postLoad(three.url, three.key), pids: three.pids },
    ],
    pace,
  )
  return {
    title: 'Durable POST with replicas of the contracts service, on one machine',
    rows: requestRows(measured),
    checks: [ratioOf(measured, THREE, ONE, 0.95)],
    notes: [
      'One of the three appends. The other two build their views meanwhile, with processor time that the load can’t have: this machine has two cores for all of it.',
    ],
  }
}
