import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { dumpDatabase } from '../../support/mongo-database.ts'
import { startReceiver } from '../../support/receiver.ts'
import { aNewContract, create } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

describeOn(bothEngines(), 'Webhooks of separate processes', (mongoUrl) => {
  it('are delivered by one gateway, and by the other after kill -9, and no dump contains a secret', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const ofWebhooks = { WEBHOOK_KEY: 'k'.repeat(32), WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' }
    const { call: one, gateway: first } = await mint.startAll(ofWebhooks)
    const second = mint.start('gateway', ofWebhooks)
    const other = await mint.callerOf(second)
    await waitFor(async () => (await other('GET', '/readyz')).status === 200)
    const receiver = atEnd.stop(await startReceiver())
    const { secret } = await create(one, '/webhooks', { url: receiver.url })
    receiver.state.secret = secret
    const { id: contract } = await create(other, '/contracts', aNewContract())
    await create(one, '/businesses', { legalName: 'Silva & Sons' })
    await waitFor(() => receiver.received.length === 2)
    assert.deepEqual(
      new Set(receiver.received.map(({ event }) => event.source)),
      new Set(['mint/contracts', 'mint/businesses']),
    )
    // Whichever is delivering, the other takes over when the lease expires.
    const again = mint.start('gateway', ofWebhooks)
    for (const [index, gateway] of [first, second].entries()) {
      await gateway.kill()
      const call = await mint.callerOf(again)
      const version = index + 2
      await waitFor(async () => (await call('PATCH', `/contracts/${contract}`, { notes: `${version}` })).status === 200)
      // Earlier events may be delivered again.
      await waitFor(() => receiver.received.some(({ event }) => event.recordversion === version))
    }
    assert.equal(receiver.state.unverified, 0)
    const dump = await dumpDatabase(mongoUrl, `${mint.namespace}_gateway`)
    assert.ok(dump.includes('WebhookCreated.v1'), 'the dump shows what is stored')
    assert.ok(!dump.includes(secret.slice(6)))
    assert.ok(!dump.includes(mint.key))
  }).timeout(90_000)
})
