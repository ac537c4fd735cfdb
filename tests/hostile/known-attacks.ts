import { ListContractsRequest } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import type { Target } from './attacked-mint.ts'
import { recordStreams, type Streams } from './grpc-streams.ts'
import { httpRequest } from './http-request.ts'
import type { Traffic } from './traffic.ts'

/** What killed some version of Mint, or made others wait. */
export type Attack = (target: Target) => Promise<Traffic>

type Attacks = Readonly<Record<string, Attack>>

/** With a key that may read. */
export const LARGE_ANSWERS = {
  '16 clients that read exports': gets(16, 'read', '/contracts.csv'),
  '40 unread exports': gets(40, 'unread', '/contracts.csv'),
  '150 unread lists': gets(150, 'unread', '/contracts?limit=100'),
  // A connection with too many is closed, and reopened.
  '900 connections of 400 pipelined GETs of a record': async ({ rest: port, reader }) => {
    const bytes = httpRequest('GET /contracts/1', reader).replace('Connection: close\r\n', '').repeat(400)
    return { port, connections: 900, reading: 'read', send: () => bytes }
  },
  '40 clients that read long histories': gets(40, 'read', '/contracts/1/history?limit=100'),
  '8 connections of 100 unread lists of 2 MB over gRPC': calls(8, ({ reader }) => ({
    method: 'mint.contracts.v1.ContractsService/ListContracts',
    message: ListContractsRequest.encode({ search: '', limit: 50, offset: 0 }).finish(),
    count: 100,
    headers: () => ({ authorization: `Bearer ${reader}` }),
  })),
} satisfies Attacks

/** With a key that may read, or import. */
const COSTLY_REQUESTS = {
  '140 connections that read 100 lists each over gRPC': calls(
    140,
    ({ reader }) => ({
      method: 'mint.contracts.v1.ContractsService/ListContracts',
      message: ListContractsRequest.encode({ search: '', limit: 1, offset: 0 }).finish(),
      count: 100,
      isWide: true,
      headers: () => ({ authorization: `Bearer ${reader}` }),
    }),
    'read',
  ),
  '48 lanes of reports by client at varying moments': async ({ rest: port, reader }) => {
    const begun = Date.now()
    const moment = (connection: number, round: number) => new Date(begun - 48 * round - connection).toISOString()
    const send = (...lane: [number, number]) =>
      httpRequest(`GET /reports/contracts?groupBy=month,clientId&asOf=${moment(...lane)}`, reader)
    return { port, connections: 48, reading: 'read', send }
  },
  '30 uploads that declare 9 MB and send 5 bytes': async ({ rest: port, writer }) => {
    const head = httpRequest('POST /contracts.csv', writer, 'Content-Type: text/csv', 'Content-Length: 9000000')
    return { port, connections: 30, reading: 'read', send: () => `${head}clien` }
  },
} satisfies Attacks

/** Without a key. */
export const CALLS_WITHOUT_KEY = {
  '600 connections of 100 health watches': calls(600, () => ({ ...A_WATCH, count: 100 })),
  '120 connections of 50 calls with 54 KB of headers': calls(120, () => ({
    ...A_WATCH,
    count: 50,
    // All differ, or HTTP/2 would send and store them only once.
    headers: (stream) => ({ 'x-any': `${stream}`.padEnd(54_000, 'x') }),
  })),
  '900 connections of 100 open calls with 3 KB of authorization': calls(900, () => ({
    ...A_WATCH,
    method: 'mint.contracts.v1.ContractsService/GetContract',
    count: 100,
    isOpen: true,
    headers: (stream) => ({ authorization: `Bearer ${`${stream}`.padEnd(3_000, 'x')}` }),
  })),
} satisfies Attacks

/** Without a key, over REST. */
const BODIES_WITHOUT_KEY = {
  '50 connections of long bodies in chunks of one byte': async ({ rest: port }) => {
    const head = 'GET /docs HTTP/1.1\r\nHost: mint\r\nTransfer-Encoding: chunked\r\n\r\n'
    const bytes = head + '1\r\nx\r\n'.repeat(1_000_000)
    return { port, connections: 50, reading: 'read', send: () => bytes }
  },
} satisfies Attacks

/** On the ports that are only for this machine or network. */
const ON_INTERNAL_PORTS = {
  '80 connections of 2,000 unread metrics': async ({ metrics: [port = 0] }) => {
    const bytes = httpRequest('GET /metrics').replace('Connection: close\r\n', '').repeat(2_000)
    return { port, connections: 80, reading: 'unread', send: () => bytes }
  },
} satisfies Attacks

const A_FILE = 'GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: mint\r\n'
const authorization = (key: string) => `Authorization: Bearer ${key}\r\n`
const aPost = ({ writer }: Target) =>
  `POST /contracts HTTP/1.1\r\nHost: mint\r\n${authorization(writer)}Content-Type: application/json\r\n`
const inPieces = (target: Target) => `${aPost(target)}Transfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(100_000)}`

/** On a Mint with high rate limits, so that one address stands for many; none reads an answer. */
export const FROM_MANY_ADDRESSES = {
  '400 pipelined GETs of a file on a connection': unread(1, () => `${A_FILE}\r\n`.repeat(400)),
  'the same on 200 connections': unread(200, () => `${A_FILE}\r\n`.repeat(400)),
  '5,000 pipelined HEADs of a file on each of 20 connections': unread(20, () =>
    `${A_FILE}\r\n`.replace('GET', 'HEAD').repeat(5_000),
  ),
  '5,000 pipelined If-None-Match on each of 20 connections': unread(20, () =>
    `${A_FILE}If-None-Match: "x", "y"\r\n\r\n`.repeat(5_000),
  ),
  '250 pipelined lists': unread(1, ({ reader }) =>
    `GET /contracts?limit=100 HTTP/1.1\r\nHost: mint\r\n${authorization(reader)}\r\n`.repeat(250),
  ),
  '1,500 silent connections': unread(1_500, () => ''),
  '1,500 connections in the middle of their headers': unread(1_500, () => `${A_FILE}${'a: b\r\n'.repeat(2_000)}`),
  'pipelined requests of 900 headers each on 300 connections': unread(300, () =>
    `${A_FILE}${'ab: cd\r\n'.repeat(900)}\r\n`.repeat(10),
  ),
  'bodies in chunks of one byte on 50 connections': unread(50, inPieces),
  'the same behind pipelined requests on 200 connections': unread(
    200,
    (target) => `${A_FILE}\r\n`.repeat(4) + inPieces(target),
  ),
  'bodies that never end on 1,000 connections': unread(
    1_000,
    (target) => `${aPost(target)}Content-Length: 102400\r\n\r\n${'x'.repeat(102_000)}`,
  ),
} satisfies Attacks

const A_WATCH = { method: 'grpc.health.v1.Health/Watch', message: Buffer.alloc(0) }

function gets(connections: number, reading: Traffic['reading'], path: string): Attack {
  return async ({ rest: port, reader }) => {
    const send = () => httpRequest(`GET ${path}`, reader)
    return { port, connections, reading, send }
  }
}

function unread(connections: number, bytesFor: (target: Target) => string): Attack {
  return async (target) => {
    const bytes = bytesFor(target)
    return { port: target.rest, connections, reading: 'unread', send: () => bytes }
  }
}

function calls(
  connections: number,
  streams: (target: Target) => Streams,
  reading: Traffic['reading'] = 'unread',
): Attack {
  return async (target) => {
    const bytes = await recordStreams(streams(target))
    return { port: target.contracts, connections, reading, send: () => bytes }
  }
}

/** All of them, each of which one process must withstand. */
export const KNOWN_ATTACKS = {
  ...LARGE_ANSWERS,
  ...COSTLY_REQUESTS,
  ...CALLS_WITHOUT_KEY,
  ...BODIES_WITHOUT_KEY,
  ...ON_INTERNAL_PORTS,
}

/** One of each kind; the same code withstands the others. */
const TYPICAL: ReadonlySet<string> = new Set<keyof typeof KNOWN_ATTACKS | keyof typeof FROM_MANY_ADDRESSES>([
  '150 unread lists',
  '30 uploads that declare 9 MB and send 5 bytes',
  '120 connections of 50 calls with 54 KB of headers',
  '80 connections of 2,000 unread metrics',
  '400 pipelined GETs of a file on a connection',
  'the same on 200 connections',
  'bodies in chunks of one byte on 50 connections',
])

/** The attacks that run with every change: one of each kind. */
export const typical = (attacks: Attacks): Attacks => picked(attacks, (name) => TYPICAL.has(name))

/** The others, which run nightly. */
export const remaining = (attacks: Attacks): Attacks => picked(attacks, (name) => !TYPICAL.has(name))

const picked = (attacks: Attacks, isPicked: (name: string) => boolean): Attacks =>
  Object.fromEntries(Object.entries(attacks).filter(([name]) => isPicked(name)))
