import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { authenticate } from '../../gateway/authenticate.ts'
import { ProblemError } from '../../gateway/problem.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/main-thread/database.ts'
import { generateSecret } from '../../shared/api-keys/secret.ts'
import { acceptedKeys } from '../../shared/api-keys/serving/accepted-keys.ts'
import { configuredKey } from '../../shared/api-keys/serving/configured-key.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import { newUuid } from '../../shared/calls/ids.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { cleanup } from '../support/cleanup.ts'
import { TEST_KEY } from '../support/gateway-fixture.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const SAMPLES = 600
/** A difference that one could make use of would come out far from a half: a key that isn't looked for, at 0. */
const TOLERANCE = 0.12
/**
 * What counts as the same time, as a part of it: a quarter of a microsecond where a refusal takes twelve, which no
 * network lets through. On a quiet machine times lie so close together that comparing 64 characters alone would be told.
 */
const RESOLUTION = 0.02

describe('Refusing a key', () => {
  const atEnd = cleanup()

  it('takes the same time whatever is wrong with it', async () => {
    const folder = temporaryFolder()
    atEnd(folder.remove)
    const database = await openSqliteDatabase({ file: `${folder.path}/gateway.db`, views: apiKeyViews })
    atEnd(() => database.close())
    const time = { now: Date.now() }
    const keys = openKeys({ database, clock: () => time.now, newId: newUuid, logger: quietLogger() })
    atEnd(() => keys.stop())
    const apiKeys = acceptedKeys(
      () => configuredKey(TEST_KEY),
      () => keys.stored,
    )
    const use = async (secret: string) => authenticate(`Bearer ${secret}`, apiKeys)
    const secrets = Object.entries(await wrongSecrets(keys.administration, { time, use }))
    const refused = Object.fromEntries(secrets.map(([kind, secret]) => [kind, asReceived(`Bearer ${secret}`)]))

    const samples = new Map(Object.keys(refused).map((kind) => [kind, [] as number[]]))
    for (let round = -SAMPLES / 10; round < SAMPLES; round++) {
      for (const kind of shuffled(Object.keys(refused))) {
        const milliseconds = await timeToRefuse(async () => authenticate(refused[kind], apiKeys))
        if (round >= 0) samples.get(kind)?.push(milliseconds)
      }
    }
    const unknown = samples.get('unknown') ?? []
    const odds = [...samples].map(([kind, times]) => [kind, shareSlower(times, unknown)] as const)
    for (const [kind, share] of odds) {
      assert.ok(Math.abs(share - 0.5) < TOLERANCE, `${kind} is told from unknown: ${JSON.stringify(odds)}`)
    }
  }).timeout(60_000)
})

type Administration = ReturnType<typeof openKeys>['administration']

/** One secret for each way of being wrong, used while it was good; the clock has moved on past the expiry of one. */
async function wrongSecrets(
  administration: Administration,
  { time, use }: { readonly time: { now: number }; readonly use: (secret: string) => Promise<unknown> },
): Promise<Record<string, string>> {
  const context = () => toCommandContext({ actor: 'test', requestId: 'r' })
  const issue = async (expiresAt: number | null) => {
    const issued = await administration.create({ name: 'x', scopes: ['contracts:read'], expiresAt }, context())
    assert.ok(issued.type === 'issued')
    await use(issued.secret)
    return issued
  }
  const expired = await issue(time.now + 1)
  const revoked = await issue(null)
  await administration.revoke(revoked.apiKey.id, context())
  const rotated = await issue(null)
  await administration.rotate({ id: rotated.apiKey.id, graceSeconds: 0 }, context())
  time.now += 1_000
  const good = await issue(null)
  return {
    unknown: generateSecret(),
    expired: expired.secret,
    revoked: revoked.secret,
    rotated: rotated.secret,
    malformed: 'mint_short',
    'no key at all': 'x'.repeat(41),
    'wrong checksum': good.secret.slice(0, -1) + (good.secret.endsWith('0') ? '1' : '0'),
    'nearly the configured one': `${TEST_KEY.slice(0, -1)}x`,
    'a hash for a secret': createHash('sha256').update(good.secret).digest('hex').slice(0, 41),
  }
}

/** In one piece, as a header is: text that was put together takes longer to read, by how it was put together. */
const asReceived = (header: string): string => Buffer.from(header).toString('latin1')

async function timeToRefuse(attempt: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  const error = await attempt().catch((reason) => reason)
  const milliseconds = performance.now() - begun
  assert.ok(error instanceof ProblemError && error.code === 'invalid_api_key')
  return milliseconds
}

/** How often one of `times` is longer than one of `others` (Mann and Whitney's U): a half where none can be told. */
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
