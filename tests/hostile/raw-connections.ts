import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { attackWith, peakMegabytes, sendEndlessly, untilIdle } from '../support/attacks.ts'
import { atEnd } from '../support/cleanup.ts'
import { limitedHost } from '../support/memory-limit.ts'
import { type MintProcess, startedMint } from '../support/mint-process.ts'
import { aNewContract, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait-for.ts'

/** What the kernel's buffers and a small database's page cache leave of a container's 512 MB. */
const MAX_MEGABYTES = 400
const A_FILE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: mint\r\n'
const NOTES = '\u{1f4b6}'.repeat(10_000)

/** Attacks, and returns the connections that it leaves open. */
type Attack = (mint: MintProcess, port: number) => Promise<Socket[]>

/** As in a container of 512 MB; the high limits let an attack from one address stand for one from many. */
const ENVIRONMENT = {
  NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=256',
  RATE_LIMIT_PER_SECOND: '100000',
  PUBLIC_RATE_LIMIT_PER_SECOND: '100000',
}

const aList = (key: string) => `GET /contracts?limit=100 HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${key}\r\n\r\n`
const aPost = (key: string) =>
  `POST /contracts HTTP/1.1\r\nHost: mint\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`
const inPieces = (key: string) => `${aPost(key)}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(100_000)}`

/** Attacks that need no more than raw sockets. */
export const RAW_ATTACKS = {
  '400 pipelined GETs of a file on a connection that never reads': (_, port) =>
    attackWith(port, 1, `${A_FILE}\r\n`.repeat(400)),
  'the same on 200 connections': (_, port) => attackWith(port, 200, `${A_FILE}\r\n`.repeat(400)),
  '5,000 pipelined HEADs of a file on each of 20 connections': (_, port) =>
    attackWith(port, 20, `${A_FILE}\r\n`.replace('GET', 'HEAD').repeat(5_000)),
  '5,000 pipelined If-None-Match on each of 20 connections': (_, port) =>
    attackWith(port, 20, `${A_FILE}If-None-Match: "x", "y"\r\n\r\n`.repeat(5_000)),
  '250 pipelined lists': ({ key }, port) => attackWith(port, 1, aList(key).repeat(250)),
  '250 concurrent lists that are never read': ({ key }, port) => attackWith(port, 250, aList(key)),
  '1,500 silent connections': (_, port) => attackWith(port, 1_500, ''),
  '1,500 connections in the middle of their headers': (_, port) =>
    attackWith(port, 1_500, `${A_FILE}${'a: b\r\n'.repeat(2_000)}`),
  'pipelined requests of 900 headers each on 300 connections': (_, port) =>
    attackWith(port, 300, `${A_FILE}${'ab: cd\r\n'.repeat(900)}\r\n`.repeat(10)),
  'endless bodies to a public path': async (_, port) => {
    const head = `${A_FILE}Transfer-Encoding: chunked\r\n\r\n`
    await Promise.all(Array.from({ length: 50 }, () => sendEndlessly(port, head, '1\r\nx\r\n'.repeat(10_000))))
    return []
  },
  'bodies in chunks of one byte on 50 connections': ({ key }, port) => attackWith(port, 50, inPieces(key)),
  'the same behind pipelined requests on 200 connections': ({ key }, port) =>
    attackWith(port, 200, `${A_FILE}\r\n`.repeat(4) + inPieces(key)),
  'bodies that never end on 1,000 connections': ({ key }, port) =>
    attackWith(port, 1_000, `${aPost(key)}Content-Length: 102400\r\n\r\n${'x'.repeat(102_000)}`),
} satisfies Readonly<Record<string, Attack>>

/** Registers a test for each attack. */
export function staysWithinMemoryUnder(attacks: Readonly<Record<string, Attack>>): void {
  async function attack(what: string, begin: Attack) {
    const host = limitedHost(512)
    atEnd(() => host.remove())
    const mint = await startedMint({ dataFolder: newFolder(), environment: ENVIRONMENT, host })
    const port = Number(new URL(mint.url).port)
    const call = restClient(mint)
    await Promise.all(Array.from({ length: 25 }, () => call('POST', '/contracts', aNewContract({ notes: NOTES }))))
    const { body: other } = await call('POST', '/api-keys', { name: 'other', scopes: ['contracts:read'] })
    const before = peakMegabytes(mint.pid)
    const sockets = await begin(mint, port)
    for (const socket of sockets) atEnd(() => socket.destroy())
    const ready = () => call('GET', '/readyz', undefined, { authorization: undefined })
    await waitFor(async () => (await ready()).status === 200, { timeout: 60_000, what: 'readiness' })
    await untilIdle(mint.pid)
    const peak = peakMegabytes(mint.pid)
    console.log(`      ${what}: ${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB`)
    assert.ok(peak < MAX_MEGABYTES, `${peak} MB`)
    // What the attack still holds counts against its own key only.
    assert.equal((await restClient({ ...mint, key: other.key })('GET', '/contracts/1')).status, 200)
  }

  for (const [what, begin] of Object.entries(attacks)) it(what, () => attack(what, begin)).timeout(120_000)
}
