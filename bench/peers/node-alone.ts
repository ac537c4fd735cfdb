// The limit, not a peer: roughly the maximum for a server on Node with the same answers, without framework, checks,
// index or database. GET answers from memory; POST is on disk before the answer, with one fdatasync for all that wait.
import { open } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { contractOf, type NewContract } from './answer.ts'
import { listen } from './listen.ts'

interface Waiting {
  readonly record: string
  readonly response: ServerResponse
}

const headersOf = (text: string) => ({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
const body = { clientId: '11111111-1111-1111-1111-111111111111', serviceName: 'Annual accounts', serviceFee: 150 }
const contract = JSON.stringify({ id: 1, ...contractOf({ ...body, serviceType: 'bookkeeping', taxPercent: 13 }) })
const log = await open(join(process.env.DATA_DIR ?? '.', 'log'), 'a')
let last = 0
let waiting: Waiting[] = []
let isWriting = false

async function writeAll(): Promise<void> {
  if (isWriting) return
  isWriting = true
  while (waiting.length > 0) {
    const group = waiting
    waiting = []
    await log.write(group.map(({ record }) => `${record}\n`).join(''))
    await log.datasync()
    for (const { record, response } of group) response.writeHead(201, headersOf(record)).end(record)
  }
  isWriting = false
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, headersOf(contract)).end(contract)
    return
  }
  last += 1
  const record = JSON.stringify({ id: last, ...contractOf((await json(request)) as NewContract) })
  waiting.push({ record, response })
  await writeAll()
})
listen(server)
