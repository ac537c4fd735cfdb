import assert from 'node:assert/strict'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { signingKeyOf, verifierWith } from '../../../shared/events/signature.ts'
import { createSigningKeys } from '../../../shared/events/signing-keys.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'

const MESSAGE: TopicMessage = {
  key: 'k',
  headers: { ce_specversion: '1.0', ce_id: 'mint/1', ce_source: 'mint', ce_type: 't', ce_time: '2026-01-31T09:30:00Z' },
  value: '{}',
}

describeOnDatabases('Signing keys', (open) => {
  async function openKeys() {
    const under = await open([])
    const keysOf = (database: typeof under.database) => createSigningKeys(database)
    return { keysOf, keys: keysOf(under.database), other: keysOf(await under.beside()), reopen: () => under.reopen([]) }
  }

  it('are created once, however many processes start concurrently, and are the same after a restart', async () => {
    const { keysOf, keys, other, reopen } = await openKeys()
    const [one, two] = await Promise.all([keys.publicKeys(), other.publicKeys()])
    assert.equal(one.length, 1)
    assert.deepEqual(one, two)
    assert.deepEqual(await keysOf(await reopen()).publicKeys(), one)
  })

  it('are never returned with their private half', async () => {
    const { keys } = await openKeys()
    await keys.rotate({ revoke: false })
    for (const key of await keys.publicKeys()) assert.deepEqual(Object.keys(key), ['kid', 'x'])
  })

  it('verify what was signed before a rotation, until they are revoked', async () => {
    const { keys, other } = await openKeys()
    const signed = await (await keys.signer())(MESSAGE)
    const isValid = async (message: TopicMessage) => {
      const key = (await keys.publicKeys()).find(({ kid }) => kid === signingKeyOf(message))
      return key !== undefined && (await verifierWith(key)(message))
    }
    const [first = ''] = (await keys.publicKeys()).map(({ kid }) => kid)
    const { current: second, former } = await other.rotate({ revoke: false })
    assert.deepEqual(former, [first])
    const later = await (await keys.signer())(MESSAGE)
    assert.equal(signingKeyOf(later), second)
    assert.deepEqual([await isValid(signed), await isValid(later)], [true, true])
    const { current: third, ...rest } = await other.rotate({ revoke: true })
    assert.deepEqual(rest, { former: [], revoked: [second, first] })
    assert.deepEqual([await isValid(signed), await isValid(later)], [false, false])
    assert.deepEqual(
      (await keys.publicKeys()).map(({ kid }) => kid),
      [third],
    )
  })

  it('all exist after concurrent rotations', async () => {
    const { keys, other } = await openKeys()
    await Promise.all([keys, other, keys].map((one) => one.rotate({ revoke: false })))
    assert.ok((await keys.publicKeys()).length >= 3)
    assert.deepEqual(await keys.publicKeys(), await other.publicKeys())
  })

  it('are stored without the private half of any former key', async () => {
    const under = await open([])
    const stored = under.database.documents('signing-keys')
    const keys = createSigningKeys(under.database)
    for (const revoke of [false, true, false]) await keys.rotate({ revoke })
    assert.equal((await stored.read('own'))?.match(/"d":/g)?.length, 1)
  })
})
