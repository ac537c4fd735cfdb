import type { Target } from '../hostile/attacked-mint.ts'
import { recordStreams } from '../hostile/grpc-streams.ts'
import { httpRequest } from '../hostile/http-request.ts'
import type { Reading, Traffic } from '../hostile/traffic.ts'
import { openApi } from '../support/openapi-document.ts'
import type { Random } from '../torture/random.ts'
import { grpcSamples } from './grpc-samples.ts'

/** Traffic with the sentence that describes it. */
export interface DrawnTraffic {
  readonly what: string
  readonly traffic: Traffic
}

/** What each connection sends, and where. */
interface Lane {
  readonly what: string
  readonly port: number
  readonly bytes: Buffer
}

const CONNECTIONS = [1, 8, 40, 150, 400, 900]
const READINGS: readonly Reading[] = ['read', 'unread', 'slow']
/** The most that an attack sends with each connection opened once, in bytes: the attackers share the machine. */
const MAX_SENT = 300e6

/** An attack on any of the ports of a Mint: route × read, unread or slow × connections × size. */
export async function drawTraffic(random: Random, target: Target): Promise<DrawnTraffic> {
  const surfaces = [rest, rest, rest, grpc, grpc, metrics]
  const { what, port, bytes } = await random.pick(surfaces)(random, target)
  const connections = Math.min(random.pick(CONNECTIONS), Math.ceil(MAX_SENT / bytes.length))
  const reading = random.pick(READINGS)
  const size = `${(bytes.length / 1e3).toFixed(1)} kB`
  return {
    what: `${connections} connections, ${reading}, that send ${size} each: ${what}`,
    traffic: { port, connections, reading, send: () => bytes },
  }
}

const OPERATIONS = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
    path,
    method: method.toUpperCase(),
    parameters: operation.parameters ?? [],
    takesBody: operation.requestBody !== undefined,
  })),
)

const READS = OPERATIONS.filter(({ method }) => method === 'GET')

/** Reads whose answers grow with the records. Most other answers are small, and so are refusals. */
const LARGE_READS = READS.filter(
  ({ path, parameters }) =>
    path.endsWith('.csv') || parameters.some(({ name }) => name === 'limit' || name === 'groupBy'),
)

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: object
}

/** What makes an answer large or costly; any other parameter is left out. */
const COSTLY: Readonly<Record<string, readonly string[]>> = {
  id: ['1', '1', '10100'],
  clientId: ['11111111-1111-4111-8111-000000000001'],
  limit: ['100'],
  groupBy: ['month,clientId', 'clientId'],
  search: ['o', 'bookkeeping'],
  clientName: ['a'],
  since: ['2020-01-31T00:00:00Z'],
}

function rest(random: Random, target: Target): Lane {
  const isLarge = random.chance(0.5)
  const { method, path, parameters, takesBody } = random.pick(isLarge ? LARGE_READS : OPERATIONS)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => random.pick(COSTLY[name] ?? ['1']))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && COSTLY[parameter.name] && random.chance(0.8))
    .map(({ name }) => `${name}=${encodeURIComponent(random.pick(COSTLY[name] ?? []))}`)
  const line = `${random.chance(0.1) ? 'HEAD' : method} ${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const [key, whose] = isLarge && random.chance(0.7) ? ofReader(target) : anyKey(random, target)
  const times = random.pick([1, 1, 20, 400])
  const more = random.pick([[], [], [`X-Any: ${'x'.repeat(3_000)}`], Array(90).fill(`X-Any: ${'x'.repeat(100)}`)])
  const body = takesBody ? bodyFor(random, path) : { headers: [], bytes: '' }
  const whole = httpRequest(line, key, ...more, ...body.headers).replace(times > 1 ? 'Connection: close\r\n' : '', '')
  const one = Buffer.from(whole + body.bytes)
  const fitting = Math.min(times, Math.ceil(MAX_SENT / one.length))
  return {
    what: `${fitting} × ${line} with ${whose}${body.what ? `, ${body.what}` : ''}`,
    port: target.rest,
    bytes: Buffer.concat(Array(fitting).fill(one)),
  }
}

/** A request's body, as it is sent. */
interface Body {
  readonly what?: string
  readonly headers: readonly string[]
  readonly bytes: string
}

/** Complete bodies that take long to parse and check for their size; Mint refuses them all. */
const COSTLY_BODIES: Readonly<Record<string, () => string>> = {
  'thousands of fields': () => `{${Array.from({ length: 9_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
  'numbers of many digits': () => `{"notes":[${'1,'.repeat(49_000)}1.00000000000000000001]}`,
  'deep nesting': () => `{"notes":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
}
const COSTLY_FILES: Readonly<Record<string, () => string>> = {
  'columns by the thousand': () => `${'clientId,'.repeat(9_000)}x\r\n`,
  'short rows by the thousand': () => `clientId,serviceFee\r\n${'1,\r\n'.repeat(9_000)}`,
  'a row that never ends': () => `clientId,notes\r\n1,"${'x'.repeat(2_000_000)}`,
}

function bodyFor(random: Random, path: string): Body {
  const isFile = path.endsWith('.csv')
  const type = `Content-Type: ${isFile ? 'text/csv' : 'application/json'}`
  if (random.chance(0.5)) return unfinished(random, isFile, type)
  const [what = '', made] = random.pick(Object.entries(isFile ? COSTLY_FILES : COSTLY_BODIES))
  const bytes = made()
  return { what, headers: [type, `Content-Length: ${bytes.length}`], bytes }
}

/** A body of which only the first part of its declared length is sent. */
function unfinished(random: Random, isFile: boolean, type: string): Body {
  const length = isFile ? 9_000_000 : 102_400
  const sent = random.pick([5, 1_000, length / 2, length - 1])
  const how = random.chance(0.8) ? `Content-Length: ${length}` : 'Transfer-Encoding: chunked'
  const text = 'clientId,'.padEnd(sent, 'x')
  const bytes = how.startsWith('T') ? `${sent.toString(16)}\r\n${text}` : text
  return { headers: [type, how], bytes }
}

const LARGEST = { clientId: undefined, asOf: undefined, search: '', id: 1, limit: 100 }
const SAMPLES = [
  ...grpcSamples({}),
  ...grpcSamples(LARGEST),
  ...['Check', 'Watch', 'Watch', 'Watch'].map((method) => ({
    path: `/grpc.health.v1.Health/${method}`,
    payload: Buffer.alloc(0),
  })),
  { path: '/grpc.reflection.v1.ServerReflection/ServerReflectionInfo', payload: Buffer.from([0x3a, 0]) },
  { path: '/mint.rpc.v1.CallStreamService/Exchange', payload: Buffer.alloc(0) },
]

/** Field 15 as a varint: no message has it. */
const UNKNOWN_FIELD = Buffer.from([15 << 3, 1])

async function grpc(random: Random, target: Target): Promise<Lane> {
  const { path, payload } = random.pick(SAMPLES)
  const [key, whose] = anyKey(random, target)
  // As many as fit into a window of 64 KB, since nobody grants the recorder a second one.
  const unknownFields = random.pick([0, 0, 0, 30_000])
  const count = unknownFields > 0 ? 1 : random.pick([1, 10, 50, 100])
  const headerBytes = random.pick([0, 0, 0, 3_000, 54_000])
  const [isOpen, isWide] = [random.chance(0.2), random.chance(0.5)]
  const bytes = await recordStreams({
    method: path.slice(1),
    message: Buffer.concat([payload, Buffer.alloc(2 * unknownFields, UNKNOWN_FIELD)]),
    count,
    isOpen,
    isWide,
    headers: (stream) => ({
      ...(key && { authorization: `Bearer ${key}` }),
      ...(headerBytes > 0 && { 'x-any': `${stream}`.padEnd(headerBytes, 'x') }),
    }),
  })
  const more = `${headerBytes} more bytes of headers and ${unknownFields} unknown fields`
  const how = `${isOpen ? 'open ' : ''}calls${isWide ? ' with wide windows' : ''}, ${more}`
  const isContracts = random.chance(0.7)
  return {
    what: `${count} × ${isContracts ? 'contracts' : 'businesses'} ${path} with ${whose}, ${how}`,
    port: isContracts ? target.contracts : target.businesses,
    bytes,
  }
}

function metrics(random: Random, target: Target): Lane {
  const [times, process] = [random.pick([1, 100, 2_000]), random.between(0, target.metrics.length - 1)]
  const line = random.chance(0.8) ? 'GET /metrics' : 'GET /other'
  const bytes = Buffer.from(httpRequest(line).replace('Connection: close\r\n', '').repeat(times))
  return { what: `${times} × ${line} of process ${process}`, port: target.metrics[process] ?? 0, bytes }
}

type NamedKey = readonly [key: string | undefined, whose: string]

const ofReader = ({ reader }: Target): NamedKey => [reader, 'a key that may read']

function anyKey(random: Random, target: Target): NamedKey {
  return random.pick<NamedKey>([
    ofReader(target),
    ofReader(target),
    [target.writer, 'a key that may import'],
    ['mint_wrong-key-of-some-length', 'a wrong key'],
    [undefined, 'no key'],
  ])
}
