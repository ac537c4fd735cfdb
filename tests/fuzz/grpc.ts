import { connect as connectHttp2, constants } from 'node:http2'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { Status } from '../../shared/gen/google/rpc/status.ts'
import {
  CallStreamServiceService,
  ExchangeRequest,
  ExchangeResponse,
} from '../../shared/gen/mint/rpc/v1/call_stream.ts'
import { framed } from '../support/raw-grpc.ts'
import type { Random } from '../torture/random.ts'
import type { Attack } from './attack.ts'
import { type GrpcSample, grpcSamples } from './grpc-samples.ts'
import { mutated, randomBytes } from './mutate.ts'

const INTERNAL = 13
const EXCHANGE = CallStreamServiceService.exchange.path

const SAMPLES = grpcSamples({})

/** Calls over HTTP/2 with mutated messages and metadata, plain and on the call stream. */
export function grpcAttack(port: number, keys: readonly string[]): Attack {
  return async (random) => {
    const isStream = random.chance(0.4)
    const sample = random.pick(SAMPLES)
    const messages = Array.from({ length: isStream ? random.between(1, 20) : 1 }, () =>
      isStream ? streamed(random.pick(SAMPLES), random) : mutated(sample.payload, random),
    )
    const isFramed = random.chance(0.8)
    const sent = Buffer.concat(messages.map((message) => framed(message)))
    const bytes = isFramed ? sent : mutated(sent, random)
    const headers = metadata(random, keys)
    const { status, message, answer } = await call(port, isStream ? EXCHANGE : sample.path, bytes, headers)
    // A broken frame, encoding or timeout is answered by gRPC's own library, with INTERNAL.
    const isSound = isFramed && !('grpc-timeout' in headers) && !('grpc-encoding' in headers)
    const failed = isSound && (status === INTERNAL || (isStream && answersOf(answer).includes(INTERNAL)))
    return { answer: `${message} ${answer.toString('latin1')}`, sent: bytes, failed }
  }
}

/** Health checks, which need no key, with random names: short ones, and as long as a request may be. */
export function healthAttack(port: number): Attack {
  return async (random) => {
    const text = random.chance(0.3) ? '' : randomBytes(random, 60).toString('latin1')
    const name = random.chance(0.1) ? text.padEnd(900_000, 'x') : text
    const bytes = framed(Buffer.from(new BinaryWriter().uint32(10).string(name).finish()))
    const path = `/grpc.health.v1.Health/${random.pick(['Check', 'Watch'])}`
    const { status, message, answer } = await call(port, path, bytes, {})
    const failed = status === INTERNAL || message.length > 100
    return { answer: `${message} ${answer.toString('latin1')}`, sent: bytes, failed }
  }
}

/** HTTP/2 frames that no client would send. */
export function frameAttack(port: number): Attack {
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  return async (random) => {
    const frames = Array.from({ length: random.between(1, 50) }, () => {
      const payload = randomBytes(random, 60)
      const head = Buffer.from([
        0,
        0,
        payload.length,
        random.between(0, 10),
        random.between(0, 255),
        0,
        0,
        0,
        random.between(0, 9),
      ])
      return Buffer.concat([head, payload])
    })
    const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0])
    const bytes = mutated(Buffer.concat([preface, settings, ...frames]), random)
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.setEncoding('latin1').on('data', (text) => (answer += text))
    socket.on('error', () => undefined).write(bytes)
    await pause(random.between(5, 100))
    socket.destroy()
    return { answer, sent: bytes, failed: false }
  }
}

function streamed(sample: GrpcSample, random: Random): Buffer {
  const text = () => (random.chance(0.5) ? '' : randomBytes(random, 30).toString('latin1'))
  const call = {
    ...{
      id: random.between(0, 100),
      method: random.chance(0.9) ? sample.path.slice(1) : text(),
      more: random.chance(0.1),
      overrideReason: random.chance(0.5) ? text() : undefined,
      isNewCommit: random.chance(0.5),
    },
    ...{ actor: text(), requestId: text(), commitId: text(), requestHash: text() },
    timeoutMilliseconds: random.between(0, 1_000),
    payload: mutated(sample.payload, random),
  }
  const bytes = Buffer.from(ExchangeRequest.encode({ calls: [call] }).finish())
  return random.chance(0.7) ? bytes : mutated(bytes, random)
}

function metadata(random: Random, keys: readonly string[]): Record<string, string> {
  const key = random.pick(keys)
  const names = [
    'x-actor',
    'x-request-id',
    'x-commit-id',
    'x-secret',
    'grpc-timeout',
    'grpc-encoding',
    'closing-override',
    'a-bin',
  ]
  const chosen = names.filter(() => random.chance(0.15))
  const values = ['1S', '99999999H', '-1', 'gzip', 'x'.repeat(5_000), '{}', '====', '%20', '%ff']
  return {
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...Object.fromEntries(chosen.map((name) => [name, random.pick(values)])),
  }
}

async function call(port: number, path: string, bytes: Buffer, headers: Record<string, string>) {
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  session.on('error', () => undefined)
  let [status, message] = [Number.NaN, '']
  const chunks: Buffer[] = []
  try {
    const { HTTP2_HEADER_METHOD: method, HTTP2_HEADER_PATH: pathName } = constants
    const own = { 'content-type': 'application/grpc', te: 'trailers', [method]: 'POST', [pathName]: path }
    const stream = session.request({ ...headers, ...own })
    stream.on('error', () => undefined)
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    for (const event of ['trailers', 'response'] as const) {
      stream.on(event, (given: Record<string, unknown>) => {
        status = Number(given['grpc-status'] ?? status)
        message = String(given['grpc-message'] ?? message)
      })
    }
    const ended = new Promise((resolve) => stream.on('close', resolve))
    stream.end(bytes)
    await Promise.race([ended, pause(300)])
  } finally {
    session.destroy()
  }
  return { status, message, answer: Buffer.concat(chunks) }
}

/** The codes of the failed calls in a call stream's answers; a truncated end is ignored. */
function answersOf(bytes: Buffer): number[] {
  const codes: number[] = []
  for (let at = 0; at + 5 <= bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1)
    if (end > bytes.length) break
    const { answers } = ExchangeResponse.decode(bytes.subarray(at + 5, end))
    for (const { status } of answers) if (status.length > 0) codes.push(Status.decode(status).code)
    at = end
  }
  return codes
}
