import assert from 'node:assert/strict'
import type { Parts } from '../../cli/admin/parts.ts'
import { type RestCall, rest } from '../../cli/admin/rest.ts'
import { CommandFailure } from '../../cli/exit.ts'
import { openDataFolder } from '../../cli/start/data-folder.ts'
import { sealingIn } from '../../cli/start/webhook-key.ts'
import { atEnd } from '../support/cleanup.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('An operation that a command runs through the REST routes', () => {
  async function given() {
    const folder = newFolder()
    const data = atEnd.close(await openDataFolder(folder))
    const sealing = sealingIn(folder, undefined)
    const parts: Parts = { ...data, sealing, webhooksByHttp: false, relayRuns: false, relays: [] }
    return (call: RestCall) => Array.fromAsync(rest(parts, call)) as Promise<Record<string, unknown>[]>
  }

  it('returns the records of all pages', async () => {
    const run = await given()
    for (let day = 1; day <= 101; day += 1) {
      const body = { closedThrough: day % 2 === 0 ? '2026-01-31' : null, reason: `Change ${day}.` }
      await run({ operationIds: ['setClosing'], body })
    }
    const listed = await run({ operationIds: ['listClosingHistory'], many: 'events' })
    assert.deepEqual([listed.length, listed[0]?.reason, listed[100]?.reason], [101, 'Change 1.', 'Change 101.'])
  })

  it('fails with the message of the route', async () => {
    const run = await given()
    const body = { name: 'Late', scopes: ['clients:read'], expiresAt: Date.now() - 1 }
    await assert.rejects(run({ operationIds: ['createApiKey'], body }), (error) => {
      return error instanceof CommandFailure && error.message === 'This time is in the past. Choose one in the future.'
    })
  })
})
