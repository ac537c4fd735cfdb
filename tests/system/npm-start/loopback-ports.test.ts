import assert from 'node:assert/strict'
import { attackWith, peakMegabytes, untilIdle } from '../../support/attacks.ts'
import { atEnd } from '../../support/cleanup.ts'
import { mint } from '../../support/command-line.ts'
import { startedMint } from '../../support/mint-process.ts'
import { newFolder } from '../../support/temporary-folder.ts'

/** Normal fluctuation of a busy process: far less than what the attacks would hold without a limit. */
const MAX_MEGABYTES = 100
const KEY = 'mint_the-key-of-the-command-line'
const REQUEST = 'GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'

describe('A local process', function () {
  this.timeout(60_000)

  /** Attacks /metrics; returns how many megabytes Mint’s peak memory rose, and the longest wait for /healthz. */
  async function attacked(count: number, bytes: Buffer) {
    const dataFolder = newFolder()
    const { pid, url, metricsUrl } = await startedMint({ dataFolder, environment: { MINT_API_KEY: KEY } })
    // Leaves out what a process loads for its first request.
    await (await fetch(metricsUrl)).text()
    assert.equal((await mint(['keys', 'list'], { DATA_DIR: dataFolder })).exitCode, 0)
    const before = peakMegabytes(pid)
    const sockets = await attackWith(Number(new URL(metricsUrl).port), count, bytes)
    atEnd(() => {
      for (const socket of sockets) socket.destroy()
    })
    let longest = 0
    for (let time = 0; time < 10; time++) {
      const begun = performance.now()
      assert.equal((await fetch(`${url}/healthz`)).status, 200)
      longest = Math.max(longest, performance.now() - begun)
    }
    assert.equal((await mint(['keys', 'list'], { DATA_DIR: dataFolder })).exitCode, 0)
    assert.match(await (await fetch(metricsUrl)).text(), /process_cpu/)
    await untilIdle(pid)
    return { megabytes: peakMegabytes(pid) - before, longest }
  }

  it('withstands 2,000 pipelined requests to /metrics with unread answers on each of 80 connections', async () => {
    const { megabytes, longest } = await attacked(80, Buffer.from(REQUEST.repeat(2_000)))
    assert.ok(megabytes < MAX_MEGABYTES, `${megabytes} MB`)
    assert.ok(longest < 2_000, `${longest} ms`)
  })
})
