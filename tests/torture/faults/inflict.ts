import { setTimeout as pause } from 'node:timers/promises'
import { seededRandom } from '../random.ts'
import { ALL_FAULTS } from './all.ts'
import type { FaultKind, Scene } from './fault.ts'
import { kafkaAway } from './kafka.ts'

/** How often a process fault and a MongoDB fault are inflicted together. */
const COMBINED_SHARE = 0.2

/** Inflicts a fault and records it; `say` gets a line at its beginning and end. */
export async function inflict(scene: Scene, kind: FaultKind, say: (line: string) => void): Promise<void> {
  const begins = scene.now()
  say(`${kind.name} …`)
  const details = await kind.inflict(scene)
  const ends = scene.now()
  scene.record({ type: 'fault', name: kind.name, details, begins, ends })
  say(`${kind.name}: ${details}, ${((ends - begins) / 1000).toFixed(1)} s`)
}

/** Inflicts random faults until `end`, some at the same time, with healthy pauses in between. */
export async function inflictUntil(end: number, scene: Scene, say: (line: string) => void): Promise<void> {
  const { random } = scene
  const over = new AbortController()
  // Has its own random numbers, so that the duration of other faults doesn't affect it.
  const ofKafka = { ...scene, random: seededRandom(random.between(0, 2 ** 31)), signal: over.signal }
  const kafka = withoutKafkaAtTimes(ofKafka, say)
  const of = (disturbed: FaultKind['disturbs']) =>
    random.pick(ALL_FAULTS.filter(({ disturbs }) => disturbs === disturbed))
  try {
    while (scene.now() < end) {
      const kinds = random.chance(COMBINED_SHARE) ? [of('mongo'), of('processes')] : [random.pick(ALL_FAULTS)]
      await Promise.all(kinds.map((kind) => inflict(scene, kind, say)))
      await scene.recovered()
      await pause(random.between(1_000, 5_000))
    }
  } finally {
    over.abort()
    await kafka
  }
}

/** Makes Kafka unreachable again and again, independently of other faults. */
async function withoutKafkaAtTimes(scene: Scene, say: (line: string) => void): Promise<void> {
  const { random, signal } = scene
  while (!signal.aborted) {
    await pause(random.between(5_000, 60_000), undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) await inflict(scene, kafkaAway, say)
  }
}
