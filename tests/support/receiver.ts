import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

/** A delivery as it arrived. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  readonly event: any
}

/** Answers a delivery by returning a status, or sends the answer itself. */
export type Answering = (received: Received, res: ServerResponse) => number | undefined | Promise<number | undefined>

/** A webhook receiver on loopback. It verifies every delivery once it has a secret. */
export async function startReceiver(answering: Answering = () => 204, host = '127.0.0.1', port = 0) {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  const state = { connections: 0, secret: '', unverified: 0, answering }

  async function receive(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await text(req)
    const headers = req.headers as Record<string, string>
    const delivery = { headers, body, event: JSON.parse(body) }
    try {
      if (state.secret !== '') new Webhook(state.secret).verify(body, headers)
    } catch {
      state.unverified++
    }
    received.push(delivery)
    const status = await state.answering(delivery, res)
    if (status !== undefined) res.writeHead(status).end()
  }

  const server = createServer((req, res) => void receive(req, res).catch(() => res.destroy()))
  server.on('connection', (socket) => {
    state.connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await once(server.listen(port, host), 'listening')
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    port: (server.address() as AddressInfo).port,
    received,
    state,
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
