import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { authenticate } from '../../gateway/routes/caller.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import { TEST_KEY } from '../../tests/support/grpc-access.ts'
import { quietLogger } from '../../tests/support/quiet-logger.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { wrongSecrets } from '../../tests/support/wrong-secrets.ts'
import { median } from '../measure/rounds.ts'
import type { Row, SectionResult } from '../result.ts'
import type { Bench } from '../section.ts'

const SAMPLES = 600
/** Warm-up, which isn't counted. */
const WARM_UPS = 60
/** Less can't be measured through a network: a microsecond if a refusal takes sixteen. */
const TOLERANCE_PERCENT = 6

/** Whether the time of a refusal reveals what is wrong with a key. */
export async function measureRefusals({ onEnd }: Bench): Promise<SectionResult> {
  const folder = temporaryFolder()
  onEnd({ stop: async () => folder.remove() })
  const database = await openSqliteDatabase({ file: join(folder.path, 'gateway.db'), views: apiKeyViews })
  onEnd({ stop: () => database.close() })
  const time = { now: Date.now() }
  const configured = configuredKey(TEST_KEY)
  const opening = Promise.resolve(database)
  const parts = { configured: () => configured, clock: () => time.now, logger: quietLogger() }
  const keys = onEnd(openKeys({ opening, ...parts }))
  await opening
  const { apiKeys } = keys
  const use = (secret: string) => authenticate(`Bearer ${secret}`, apiKeys)
  const secrets = Object.entries(await wrongSecrets(keys.administration(), { time, use }))
  const refused = secrets.map(([kind, secret]) => ({
    kind,
    header: asReceived(`Bearer ${secret}`),
    times: [] as number[],
  }))
  for (let round = -WARM_UPS; round < SAMPLES; round++) {
    for (const { header, times } of shuffled(refused)) {
      const milliseconds = await timeToRefuse(() => authenticate(header, apiKeys))
      if (round >= 0) times.push(milliseconds)
    }
  }
  const medians = refused.map(({ kind, times }) => ({ kind, milliseconds: median(times) }))
  const unknown = medians.find(({ kind }) => kind === 'unknown')?.milliseconds ?? Number.NaN
  return {
    title: 'Refusing an API key, by what is wrong with it',
    rows: medians.map(({ kind, milliseconds }): Row => ({ what: kind, value: milliseconds * 1000, unit: 'µs' })),
    checks: medians.map(({ kind, milliseconds }) => ({
      what: `${kind}: how far its median is off that of an unknown one`,
      value: Math.abs(milliseconds / unknown - 1) * 100,
      unit: '%',
      atMost: TOLERANCE_PERCENT,
    })),
  }
}

/** A flat string, like a header: a concatenated one takes longer to read, depending on how it was built. */
const asReceived = (header: string): string => Buffer.from(header).toString('latin1')

async function timeToRefuse(attempt: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  const wasRefused = await attempt().then(
    () => false,
    () => true,
  )
  const milliseconds = performance.now() - begun
  if (!wasRefused) throw new Error('a wrong key was accepted')
  return milliseconds
}

function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(randomInt(left.length), 1))
}
