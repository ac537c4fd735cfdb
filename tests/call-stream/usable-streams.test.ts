import assert from 'node:assert/strict'
import type { CallStream } from '../../shared/rpc/call-stream/client-stream.ts'
import { createUsableStreams } from '../../shared/rpc/call-stream/stream-pool.ts'

/** A stream that sends nothing, with a settable number of calls in progress. */
function streamTo(server: string) {
  const stream = {
    server,
    busy: 0,
    isRetired: false,
    isAppending: false,
    appends: () => stream.isAppending,
    inProgress: () => stream.busy,
    send: () => Promise.reject(new Error('nothing is sent here')),
    retire: () => {
      stream.isRetired = true
    },
  }
  return stream satisfies CallStream
}

describe('Usable streams', () => {
  it('take turns when they are equally busy', () => {
    const streams = createUsableStreams()
    for (const server of ['a', 'b', 'c']) streams.add(streamTo(server))
    const servers = Array.from({ length: 30 }, () => streams.leastBusy()?.server)
    for (const server of ['a', 'b', 'c']) assert.equal(servers.filter((one) => one === server).length, 10, server)
  })

  it('are skipped if others are less busy', () => {
    const streams = createUsableStreams()
    const [a, b] = [streamTo('a'), streamTo('b')]
    for (const stream of [a, b]) streams.add(stream)
    a.busy = 2
    b.busy = 1
    for (let count = 0; count < 10; count++) assert.equal(streams.leastBusy(), b)
  })

  it('include one per server: the newest, while the previous one gets no more calls', () => {
    const streams = createUsableStreams()
    const [earlier, other, later] = [streamTo('a'), streamTo('b'), streamTo('a')]
    for (const stream of [earlier, other, later]) streams.add(stream)
    assert.deepEqual(streams.all(), [other, later])
    assert.deepEqual([earlier.isRetired, other.isRetired, later.isRetired], [true, false, false])
  })

  it('run out once all have been retired', () => {
    const streams = createUsableStreams()
    const all = ['a', 'b', 'c'].map(streamTo)
    for (const stream of all) streams.add(stream)
    streams.leaveAll()
    assert.equal(streams.leastBusy(), undefined)
    assert.ok(all.every(({ isRetired }) => isRetired))
  })

  it('send writes to the server that appends, for as long as it announces itself', () => {
    const streams = createUsableStreams()
    const [a, b] = [streamTo('a'), streamTo('b')]
    for (const stream of [a, b]) streams.add(stream)
    assert.equal(streams.appending(), undefined)
    b.isAppending = true
    assert.equal(streams.appending(), b)
    streams.leave(b)
    assert.equal(streams.appending(), undefined)
  })
})
