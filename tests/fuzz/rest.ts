import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { KINDS } from '../../shared/kinds/registry.ts'
import type { Random } from '../torture/random.ts'
import type { Attack, Attempt } from './attack.ts'
import { mutated, randomBytes } from './mutate.ts'

const PROPOSAL = '/proposals/0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'
/** Paths of every kind of record. */
const RECORDS = Object.values(KINDS).flatMap(({ many }) => [
  ...[`/${many}`, `/${many}/1`, `/${many}/1/history`, `/${many}.csv`, `/${many}?search=a&limit=5`],
  `/${many}/1?asOf=2026-01-31T00:00:00Z`,
])
const PATHS = [
  ...RECORDS,
  ...[
    '/api-keys',
    '/sign-in',
    '/clients',
    '/clients/names',
    '/openapi.json',
    '/docs',
    '/healthz',
    '/readyz',
    '/nowhere',
  ],
  ...['/operations/status', '/operations/dead-letters?limit=5', '/operations/dead-letters/replay'],
  ...['/reports/contracts?groupBy=month,clientId', '/reports/contracts.csv?groupBy=serviceType', '/closing'],
  ...['/reports/contracts/changes?since=2026-01-31T00:00:00Z', '/reports/contracts/lines?limit=5', '/closing/history'],
  ...['/mcp', '/proposals', '/proposals?status=open&limit=1', PROPOSAL, `${PROPOSAL}/accept`],
  ...['/events', '/events?after=now&wait=1', '/events?types=mint.contract.edited.v1&limit=1000'],
  ...['/firm', '/firm/history', '/firm?asOf=2026-01-31T00:00:00Z', '/.well-known/api-catalog'],
]
const METHODS = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI']
const BODY =
  '{"clientId":"11111111-1111-1111-1111-111111111111","serviceName":"x","serviceType":"y","serviceFee":1.5,"taxPercent":5}'
/** Requests that would change something if the key were allowed to write. */
const WRITES = [
  ['POST', '/contracts', BODY],
  ['PATCH', '/contracts/1', '{"serviceName":"changed by a caller who may not"}'],
  ['POST', '/businesses', '{"legalName":"x","businessNumber":"y"}'],
  ['PUT', '/closing', '{"closedThrough":"2020-01-31","reason":"set by a caller who may not"}'],
  ['PATCH', '/firm', '{"name":"changed by a caller who may not"}'],
] as const

/** Mutated bytes of one or several HTTP/1.1 requests, sent in pieces over a connection that may stay open. */
export function restAttack(port: number, keys: readonly string[]): Attack {
  return async (random) => {
    const requests = Array.from({ length: random.chance(0.2) ? random.between(2, 30) : 1 }, () =>
      aRequest(random, keys),
    )
    const whole = Buffer.concat(requests)
    const bytes = random.chance(0.05) ? randomBytes(random, 5_000) : mutated(whole, random)
    // Few mutated requests are still valid.
    if (random.chance(0.2)) return await attempt(toRequest(random.pick(WRITES), random.pick(keys), random), random)
    return await attempt(bytes, random)
  }

  async function attempt(bytes: Buffer, random: Random): Promise<Attempt> {
    const answer = await exchange(port, bytes, random)
    return { answer, sent: bytes, failed: /^HTTP\/1\.1 500/m.test(answer) }
  }
}

const aRequest = (random: Random, keys: readonly string[]): Buffer =>
  toRequest([random.pick(METHODS), random.pick(PATHS), random.chance(0.5) ? BODY : ''], random.pick(keys), random)

function toRequest(
  [method, path, body]: readonly [method: string, path: string, body: string],
  key: string,
  random: Random,
): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: mint',
    ...(key === '' ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    ...(random.chance(0.05) ? [`X-Long: ${'x'.repeat(random.between(1_000, 100_000))}`] : []),
    ...(random.chance(0.2) ? ['Idempotency-Key: once'] : []),
    ...(random.chance(0.2) ? ['If-None-Match: "1"'] : []),
    ...(random.chance(0.2) ? ['Closing-Override: Filed%20late'] : []),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

/** What arrives until the other side closes, or until a pause after the last byte: some connections stay half open. */
async function exchange(port: number, bytes: Buffer, random: Random): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => (received += text))
  // Mint may reset a connection whose request it refused before its end; the answer so far is checked.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.on('close', resolve))
  const cut = random.between(0, bytes.length)
  socket.write(bytes.subarray(0, cut))
  if (random.chance(0.1)) await pause(random.between(0, 50))
  if (socket.writable) socket.write(bytes.subarray(cut))
  if (random.chance(0.3)) socket.end()
  await Promise.race([closed, pause(random.between(20, 300))])
  socket.destroy()
  return received
}
