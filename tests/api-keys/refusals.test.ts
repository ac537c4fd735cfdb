import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { mock } from 'node:test'
import { ProblemError } from '../../gateway/problem.ts'
import { authenticate } from '../../gateway/routes/caller.ts'
import { openSqliteDatabase } from '../../shared/adapters/sqlite/database.main.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import type { ApiKeys } from '../../shared/api-keys/serving/api-keys.ts'
import { secretHashOf } from '../../shared/api-keys/serving/find-caller.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import { apiKeyViews } from '../../shared/api-keys/view.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { atEnd } from '../support/cleanup.ts'
import { TEST_KEY } from '../support/grpc-access.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { wrongSecrets } from '../support/wrong-secrets.ts'

describe('Refusing a key', () => {
  // For the time that it takes: npm run bench -- --only refusals.
  it('takes the same steps, whatever is wrong with it', async () => {
    const work: string[] = []
    countHashes(work)
    const folder = newFolder()
    const database = atEnd.close(await openSqliteDatabase({ file: `${folder}/gateway.db`, views: apiKeyViews }))
    const time = { now: Date.now() }
    const configured = configuredKey(TEST_KEY)
    const parts = { configured: () => configured, clock: () => time.now, logger: quietLogger() }
    const opening = Promise.resolve(countingReads(database, work))
    const keys = atEnd.stop(openKeys({ opening, ...parts }))
    await opening
    const apiKeys = countingQuestions(keys.apiKeys, work)
    const use = async (secret: string) => authenticate(secretHashOf(`Bearer ${secret}`), apiKeys)
    const secrets = await wrongSecrets(keys.administration(), { time, use })
    // Otherwise, it would also read the log in the background.
    await keys.stop()

    const done: Record<string, string[]> = {}
    for (const [kind, secret] of Object.entries(secrets)) {
      work.length = 0
      const refused = (error: unknown) => error instanceof ProblemError && error.code === 'invalid_api_key'
      await assert.rejects(authenticate(secretHashOf(`Bearer ${secret}`), apiKeys), refused, kind)
      done[kind] = [...work]
    }
    const each = ['hash', 'is it known', 'find it', 'read the log']
    assert.deepEqual(done, Object.fromEntries(Object.keys(secrets).map((kind) => [kind, each])))
  })
})

function countHashes(work: string[]): void {
  const { hash } = crypto
  mock.method(crypto, 'hash', (...given: Parameters<typeof hash>) => {
    work.push('hash')
    return hash(...given)
  })
  syncBuiltinESMExports()
  atEnd(() => {
    mock.restoreAll()
    syncBuiltinESMExports()
  })
}

function countingReads(database: Database, work: string[]): Database {
  const { events } = database
  return {
    ...database,
    events: {
      ...events,
      readAll(...asked) {
        work.push('read the log')
        return events.readAll(...asked)
      },
    },
  }
}

function countingQuestions(apiKeys: ApiKeys, work: string[]): ApiKeys {
  return {
    ...apiKeys,
    known(sha256) {
      work.push('is it known')
      return apiKeys.known(sha256)
    },
    find(sha256) {
      work.push('find it')
      return apiKeys.find(sha256)
    },
  }
}
