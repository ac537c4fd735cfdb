import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { authenticate } from '../../gateway/routes/caller.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { acceptedKeys, configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import { newUuid } from '../../shared/calls/ids.ts'
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
/** A difference that an attacker could use would be far from a half: 0 for a key that isn't searched. */
const TOLERANCE = 0.12
/**
 * What counts as the same time, as a fraction: a quarter of a microsecond if a refusal takes twelve, which can't be
 * measured through a network. On a quiet machine times are so close that even comparing 64 characters would show.
 */
const RESOLUTION = 0.02

/** Whether the time of a refusal reveals what is wrong with a key. */
export async function measureRefusals({ onEnd }: Bench): Promise<SectionResult> {
  const folder = temporaryFolder()
  onEnd({ stop: async () => folder.remove() })
  const database = await openSqliteDatabase({ file: join(folder.path, 'gateway.db'), views: apiKeyViews })
  onEnd({ stop: () => database.close() })
  const time = { now: Date.now() }
  const keys = onEnd(openKeys({ database, clock: () => time.now, newId: newUuid, logger: quietLogger() }))
  const configured = configuredKey(TEST_KEY)
  const apiKeys = acceptedKeys(
    () => configured,
    () => keys.stored,
  )
  const use = (secret: string) => authenticate(`Bearer ${secret}`, apiKeys)
  const secrets = Object.entries(await wrongSecrets(keys.administration, { time, use }))
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
  const unknown = refused.find(({ kind }) => kind === 'unknown')?.times ?? []
  return {
    title: 'Refusing an API key, by what is wrong with it',
    rows: refused.map(({ kind, times }): Row => ({ what: kind, value: median(times) * 1000, unit: 'µs' })),
    checks: refused.map(({ kind, times }) => ({
      what: `${kind}: the share that takes longer than an unknown one, off a half`,
      value: Math.abs(shareSlower(times, unknown) - 0.5),
      unit: '',
      atMost: TOLERANCE,
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

/** How often one of `times` is longer than one of `others` (Mann and Whitney's U): 0.5 if they are alike. */
function shareSlower(times: readonly number[], others: readonly number[]): number {
  let slower = 0
  for (const one of times) {
    for (const other of others) {
      if (Math.abs(one - other) < RESOLUTION * other) slower += 0.5
      else if (one > other) slower += 1
    }
  }
  return slower / (times.length * others.length)
}

function shuffled<T>(items: readonly T[]): T[] {
  const left = [...items]
  return items.flatMap(() => left.splice(randomInt(left.length), 1))
}
