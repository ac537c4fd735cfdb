import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { listen } from '../../../shared/runtime/listen.ts'
import { atEnd } from '../../support/cleanup.ts'
import { waitFor } from '../../support/wait-for.ts'

const HOST = '127.0.0.1'
const CALLERS = 64
/** Connects from another process while this one is blocked, so that all connections wait to be accepted. */
const CONNECT_AND_LEAVE = `
  const { connect } = require('node:net')
  let connected = 0
  const count = () => ++connected === ${CALLERS} && process.exit()
  for (let index = 0; index < ${CALLERS}; index++) connect(Number(process.argv[1]), '${HOST}', count)`

describe('A port that is listened on', () => {
  async function given(port = 0) {
    const accepted: Socket[] = []
    const listening = await listen(
      createServer((socket) => void accepted.push(socket.on('error', () => undefined).resume())),
      HOST,
      port,
    )
    atEnd(async () => {
      for (const socket of accepted) socket.destroy()
      await listening.close()
    })
    return { ...listening, accepted }
  }

  it('has many connections accepted in a turn of the event loop, so that few long turns delay nobody', async function () {
    if (process.platform !== 'linux') this.skip()
    const { port, accepted } = await given()
    assert.equal(spawnSync(process.execPath, ['-e', CONNECT_AND_LEAVE, String(port)]).status, 0)
    let turns = 0
    for (; accepted.length < CALLERS; turns++) await nextTurn()
    assert.ok(turns < CALLERS / 2, `${turns} turns for ${CALLERS} connections`)
  })

  it('is refused to anyone else, another Mint too', async () => {
    const { port } = await given()
    await assert.rejects(listen(createServer(), HOST, port), { code: 'EADDRINUSE', port })
    await assert.rejects(once(createServer().listen(port, HOST), 'listening'), { code: 'EADDRINUSE' })
  })

  it('takes no more connections once it is closed, and lets open ones end by themselves', async () => {
    const { port, accepted, close } = await given()
    const open = atEnd.destroy(connect(port, HOST))
    await waitFor(() => accepted.length === 1)
    let isClosed = false
    const closing = close().then(() => {
      isClosed = true
    })
    await assert.rejects(once(connect(port, HOST), 'connect'), { code: 'ECONNREFUSED' })
    assert.deepEqual([open.closed, isClosed], [false, false])
    open.destroy()
    accepted[0]?.destroy()
    await closing
  })
})
