import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { createFeed } from '../../gateway/events/feed.ts'
import { encodeCursors } from '../../gateway/events/feed-cursor.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { unknownCursor } from '../../shared/events/cursor.ts'
import type { GetLatestCursorRequest, ListEventsRequest } from '../../shared/gen/mint/events/v1/events.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { beginRaw } from '../support/raw-http.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

const EVENT = {
  id: 'mint/contracts/1',
  source: 'mint/contracts',
  type: 'mint.contract.created.v1',
  subject: '1',
  time: 0,
  recordversion: 1,
  actor: 'somebody',
  changed: 'id',
  data: '{"version":1}',
}

describe('Waiting for events', () => {
  /** A gateway over services whose logs don't change until `append`. */
  async function start(options: Parameters<typeof startGateway>[1] = {}) {
    let cursor = '0'
    let [reads, readsAgain] = [0, 0]
    const watches = { running: 0, peak: 0 }
    const appended: (() => void)[] = []
    const events = {
      ...emptyServices.contractsEvents,
      async listEvents({ after }: ListEventsRequest, _context?: CallContext) {
        if (after === '') reads++
        else readsAgain++
        return { events: cursor === '0' ? [] : [{ ...EVENT, cursor }], next: cursor, more: false }
      },
      async getLatestCursor({ after, waitMilliseconds }: { after?: string | undefined; waitMilliseconds: number }) {
        watches.peak = Math.max(watches.peak, ++watches.running)
        if (after === cursor) {
          await new Promise<void>((resolve) => {
            appended.push(resolve)
            setTimeout(resolve, waitMilliseconds)
          })
        }
        watches.running--
        return { cursor }
      },
    }
    const valid = { isRevoked: false, accepted: 0 }
    const keys = staticApiKeys([configuredKey(TEST_KEY)])
    const known = (sha256: string) => (valid.isRevoked ? undefined : keys.known(sha256))
    const countKey = () => {
      valid.accepted++
      return { isRefused: false, left: 1 }
    }
    const apiKeys = { ...keys, known, find: async (sha256: string) => known(sha256) }
    const gateway = await startGateway({ ...emptyServices, contractsEvents: events }, { apiKeys, countKey, ...options })
    atEnd(() => gateway.stop())
    const append = (): void => {
      cursor = `${Number(cursor.split('.')[0]) + 1}.aaaaaaaaaaa`
      for (const resolve of appended.splice(0)) resolve()
    }
    return { ...gateway, valid, append, watches, reads: () => reads, readsAgain: () => readsAgain }
  }

  const WAIT = '/events?types=mint.contract.created.v1&wait=30'

  it('ends with an empty page if the gateway stops', async () => {
    const { call, drain, reads } = await start()
    const waiting = Array.from({ length: 20 }, (_, index) => call('GET', `${WAIT}&limit=${index + 1}`))
    await waitFor(() => reads() === 20)
    const stopped = drain(0)
    for (const { status, body } of await Promise.all(waiting)) assert.deepEqual([status, body.events], [200, []])
    await stopped
  })

  it('ends when its caller disconnects', async () => {
    const { port, call, append, reads, readsAgain } = await start()
    const socket = await beginRaw(
      port,
      `GET ${WAIT} HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`,
    )
    await waitFor(() => reads() === 1)
    socket.destroy()
    const another = call('GET', `${WAIT}&limit=2`)
    await waitFor(() => reads() === 2)
    append()
    assert.equal((await another).body.events.length, 1)
    assert.equal(readsAgain(), 1, 'nothing is read for a caller who has left')
  })

  it('takes up no connections that other requests need', async () => {
    const { port, call, reads } = await start({ maxConnections: 5 })
    const head = (limit: number) =>
      `GET ${WAIT}&limit=${limit} HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${TEST_KEY}\r\n\r\n`
    const sockets = await Promise.all(Array.from({ length: 5 }, (_, index) => beginRaw(port, head(index + 1))))
    for (const socket of sockets) atEnd(() => socket.destroy())
    await waitFor(() => reads() === 5)
    assert.equal((await call('GET', '/api-keys/current')).status, 200)
    await waitFor(() => sockets.filter(({ closed }) => closed).length === 1)
  })

  it('ends with 401 and no event if the key is revoked meanwhile', async () => {
    const { call, valid, append, reads } = await start()
    const waiting = call('GET', WAIT)
    await waitFor(() => reads() === 1)
    valid.isRevoked = true
    append()
    const { status, body } = await waiting
    assert.deepEqual([status, body.code, body.events], [401, 'invalid_api_key', undefined])
  })

  it('takes one service call for any number of callers, and one read for identical requests', async () => {
    const { call, append, watches, readsAgain, valid } = await start()
    const waiting = Array.from({ length: 100 }, () => call('GET', WAIT))
    await waitFor(() => valid.accepted === 100 && watches.running === 1)
    assert.equal((await call('GET', '/events')).body.events.length, 0)
    append()
    for (const { body } of await Promise.all(waiting)) assert.equal(body.events.length, 1)
    assert.equal(watches.peak, 1)
    assert.ok(readsAgain() <= 10, `${readsAgain()} reads for 100 who wait`)
  })

  it('continues when callers return to a busy log, so that all requests of a caller get the same larger pages', async () => {
    const { call, append } = await start()
    const appending = setInterval(append, 5)
    atEnd(() => clearInterval(appending))
    const begun = performance.now()
    const following = Array.from({ length: 40 }, async () => {
      for (let after = '', count = 0; count < 8; count++) {
        const { body } = await call('GET', `${WAIT}${after}`)
        assert.equal(body.events.length, 1)
        after = `&after=${body.next}`
      }
    })
    await Promise.all(following)
    const milliseconds = performance.now() - begun
    assert.ok(milliseconds > 800, `40 rest for 200 ms at a time, but 8 pages took ${milliseconds} ms`)
  })

  it('ends with the next event after a log was restored to an earlier state', async () => {
    let [position, restored] = [5, false]
    const getLatestCursor = async ({ after }: GetLatestCursorRequest) => {
      if (restored && after === '5.a') throw unknownCursor()
      return { cursor: `${position}.${restored ? 'b' : 'a'}` }
    }
    const feed = createFeed({
      ...emptyServices,
      contractsEvents: { ...emptyServices.contractsEvents, getLatestCursor },
    })
    const beyond = (at: number) =>
      feed.beyond(encodeCursors({ contracts: `${at}.a` }), ['contracts'], { caller: 'one', milliseconds: 20_000 })
    await beyond(4)
    ;[position, restored] = [3, true]
    const waiting = beyond(3)
    position = 4
    assert.equal(await Promise.race([waiting, delay(5_000, 'still waiting')]), undefined)
  })

  it('is skipped for requests for which a full page is ready', async () => {
    const at = (position: number) => encodeCursors({ contracts: `${position}.a` })
    const contractsEvents = { ...emptyServices.contractsEvents, getLatestCursor: async () => ({ cursor: '500.a' }) }
    const feed = createFeed({ ...emptyServices, contractsEvents })
    await feed.beyond(at(1), ['contracts'], { caller: 'somebody', milliseconds: 10_000 })
    const mustRest = (after: number, caller: string) =>
      feed.mustRest({ after: at(after), limit: 100 }, ['contracts', 'businesses'], caller)
    assert.deepEqual([mustRest(1, 'one'), mustRest(1, 'one')], [false, false])
    assert.deepEqual([mustRest(450, 'one'), mustRest(450, 'one'), mustRest(450, 'other')], [false, true, false])
  })
})
