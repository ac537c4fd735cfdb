import assert from 'node:assert/strict'
import { atEnd } from '../support/cleanup.ts'
import { readMetrics } from '../support/metrics.ts'
import { startMint } from '../support/mint-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'
import { recordStreams } from './grpc-streams.ts'
import { beginTraffic } from './traffic.ts'

const CONNECTIONS = 6_000
/** In bytes. Half a second of such connections adds about 25 MB to what the usual collections free. */
const MAX_BYTES = 150_000_000

describe('Callers who connect, call once and leave', () => {
  it('leave little memory in use outside V8’s heap, although they use little inside it', async () => {
    const folder = temporaryFolder()
    atEnd(() => folder.remove())
    const mint = await startMint({ dataFolder: folder.path })
    atEnd(() => mint.kill())
    const bytes = await recordStreams({
      method: 'grpc.health.v1.Health/Watch',
      message: Buffer.alloc(0),
      count: 1,
      headers: () => ({ 'x-any': 'x'.repeat(54_000) }),
    })
    let opened = 0
    const send = (): Buffer => {
      opened += 1
      return bytes
    }
    const port = Number(mint.contractsAddress.split(':')[1])
    const traffic = await beginTraffic({ port, connections: 40, reading: 'read', send })
    atEnd(traffic.stop)
    let peak = 0
    const isOver = async (): Promise<boolean> => {
      peak = Math.max(peak, (await readMetrics(mint.metricsUrl)).value('nodejs_external_memory_bytes') ?? 0)
      return opened > CONNECTIONS
    }
    await waitFor(isOver, { timeout: 50_000, what: 'the connections' })
    assert.ok(peak > 0 && peak < MAX_BYTES, `${Math.round(peak / 1e6)} MB outside the heap`)
  })
})
