import assert from 'node:assert/strict'
import { atEnd } from '../../support/cleanup.ts'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
import { type Receiver, startReceiver } from '../../support/receiver.ts'
import { aNewContract, create, restClient } from '../../support/rest.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const WRITERS = 4

/** Whether each record has arrived up to its version. */
function hasReceived({ received }: Receiver, written: ReadonlyMap<string, number>): boolean {
  const latest = new Map(received.map(({ event }) => [event.subject, event.recordversion]))
  return [...written].every(([id, version]) => (latest.get(id) ?? 0) >= version)
}

/** Registers a test of webhooks whose Mint is killed during deliveries. */
export function deliversThroughKills(kills: number): void {
  it(`get every event, in order for each record, even if receivers fail at random and Mint is killed ${kills} times`, async () => {
    const dataFolder = newFolder()
    const environment = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', MINT_API_KEY: 'mint_of_the_killed_one' }
    const start = () => startMint({ dataFolder, environment })
    let mint: MintProcess = await start()
    atEnd(() => mint.kill())
    const call = () => restClient(mint)
    // The first retry comes soon; later ones would take minutes.
    const failed = new Map<string, number>()
    const failing = ({ event: { id } }: { event: { id: string } }) => {
      const failures = failed.get(id) ?? 0
      if (failures > 0 || Math.random() > 0.04) return 204
      failed.set(id, failures + 1)
      return 500
    }
    const receivers = await Promise.all([failing, failing].map(async (one) => atEnd.stop(await startReceiver(one))))
    const ids: string[] = []
    for (const { url, state } of receivers) {
      const { id, secret } = await create(call(), '/webhooks', { url })
      state.secret = secret
      ids.push(id)
    }
    const written = new Map<string, number>()
    let isWriting = true
    async function write(): Promise<void> {
      while (isWriting) {
        try {
          const { id } = await create(call(), '/contracts', aNewContract())
          written.set(String(id), 1)
          for (const notes of ['one', 'two', 'three']) {
            const edited = await call()('PATCH', `/contracts/${id}`, { notes })
            if (edited.status === 200) written.set(String(id), Number(edited.headers.get('etag')?.slice(1, -1)))
          }
        } catch {
          // Mint was killed: an unacknowledged write may or may not exist.
          await waitFor(async () => (await fetch(`${mint.url}/healthz`).catch(() => undefined))?.ok, {})
        }
      }
    }
    const writing = Promise.all(Array.from({ length: WRITERS }, write))
    for (let kill = 0; kill < kills; kill++) {
      const count = receivers[0]?.received.length ?? 0
      await waitFor(() => (receivers[0]?.received.length ?? 0) > count + 40 + 60 * Math.random())
      await mint.kill()
      mint = await start()
    }
    isWriting = false
    await writing
    // `waiting` counts what has been read: at first, that may be nothing new.
    await waitFor(
      async () =>
        receivers.every((receiver) => hasReceived(receiver, written)) &&
        (await Promise.all(ids.map((id) => call()('GET', `/webhooks/${id}`)))).every(({ body }) => body.waiting === 0),
      { timeout: 90_000, every: 500, what: 'every acknowledged write to arrive' },
    )
    for (const { received, state } of receivers) {
      const last = new Map<string, number>()
      for (const { event } of received) {
        const before = last.get(event.subject) ?? 0
        assert.ok(
          [before, before + 1].includes(event.recordversion),
          `${event.subject}: ${event.recordversion} after ${before}`,
        )
        last.set(event.subject, event.recordversion)
      }
      assert.equal(state.unverified, 0)
    }
    assert.ok(written.size > 20)
    assert.ok(failed.size > 0)
  }).timeout(180_000)
}
