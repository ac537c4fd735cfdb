import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { BinaryReader } from '@bufbuild/protobuf/wire'

/** A span as an OpenTelemetry collector receives it. */
export interface CollectedSpan {
  /** `service.name` of its process. */
  readonly service: string
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root of a trace. */
  readonly parent: string
  /** The ids of the spans that it links to. */
  readonly links: readonly string[]
  readonly attributes: Readonly<Record<string, string | number>>
  readonly isFailed: boolean
}

type Field = 'text' | 'hex' | 'number' | Fields
type Fields = Readonly<Record<number, readonly [name: string, of: Field]>>

const VALUE: Fields = { 1: ['text', 'text'], 3: ['number', 'number'] }
const ATTRIBUTE: Fields = { 1: ['key', 'text'], 2: ['value', VALUE] }
const SPAN: Fields = {
  1: ['traceId', 'hex'],
  2: ['spanId', 'hex'],
  4: ['parent', 'hex'],
  5: ['name', 'text'],
  6: ['kind', 'number'],
  9: ['attributes', ATTRIBUTE],
  13: ['links', { 1: ['traceId', 'hex'], 2: ['spanId', 'hex'] }],
  15: ['status', { 3: ['code', 'number'] }],
}
/** OTLP's ExportTraceServiceRequest, as far as tests need it. */
const REQUEST: Fields = {
  1: ['resources', { 1: ['resource', { 1: ['attributes', ATTRIBUTE] }], 2: ['scopes', { 2: ['spans', SPAN] }] }],
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was sent; every field is a list
function read(bytes: Uint8Array, fields: Fields): Record<string, any[]> {
  const reader = new BinaryReader(bytes)
  const message: Record<string, unknown[]> = Object.fromEntries(Object.values(fields).map(([name]) => [name, []]))
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag()
    const field = fields[number]
    if (field === undefined) reader.skip(wireType)
    else message[field[0]]?.push(readValue(reader, field[1]))
  }
  return message
}

function readValue(reader: BinaryReader, of: Field): unknown {
  if (of === 'text') return reader.string()
  if (of === 'number') return Number(reader.int64())
  const bytes = reader.bytes()
  return of === 'hex' ? Buffer.from(bytes).toString('hex') : read(bytes, of)
}

const attributesOf = (given: ReturnType<typeof read>[]): CollectedSpan['attributes'] =>
  Object.fromEntries(given.map(({ key, value }) => [key?.[0], value?.[0].text[0] ?? value?.[0].number[0]]))

function spansIn(body: Uint8Array): CollectedSpan[] {
  return (read(body, REQUEST).resources ?? []).flatMap(({ resource, scopes }) => {
    const service = String(attributesOf(resource[0].attributes)['service.name'])
    return scopes.flatMap(({ spans }: ReturnType<typeof read>) =>
      (spans ?? []).map(({ name, kind, traceId, spanId, parent, links, attributes, status }) => ({
        service,
        name: name[0],
        kind: kind[0],
        traceId: traceId[0],
        spanId: spanId[0],
        parent: parent[0] ?? '',
        links: links.map((link: ReturnType<typeof read>) => link.spanId?.[0]),
        attributes: attributesOf(attributes),
        isFailed: status[0]?.code[0] === 2,
      })),
    )
  })
}

/** A collector on loopback that accepts spans over OTLP/HTTP; with `answers: false` it never answers. */
export async function startCollector({ answers = true } = {}) {
  const spans: CollectedSpan[] = []
  const server = createServer(async (req, res) => {
    const body = await buffer(req)
    if (req.url === '/v1/traces') spans.push(...spansIn(body))
    if (answers) res.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** The only span of this name. */
    span(name: string): CollectedSpan {
      const [found, ...more] = spans.filter((span) => span.name === name)
      if (found && more.length === 0) return found
      throw new Error(`${more.length + (found ? 1 : 0)} spans of ${name}: ${spans.map((span) => span.name).join(', ')}`)
    },
    stop(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
