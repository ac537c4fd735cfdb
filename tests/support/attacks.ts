import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** A connection that never reads and ignores being closed. */
export async function deafConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  await Promise.race([once(socket, 'connect'), once(socket, 'close')])
  return socket
}

/** Opens this many connections that never read, and sends the same bytes over each. */
export async function attackWith(port: number, connections: number, bytes: string | Buffer): Promise<Socket[]> {
  const sockets: Socket[] = []
  for (let left = connections; left > 0; left -= BACKLOG) {
    const some = Array.from({ length: Math.min(left, BACKLOG) }, () => deafConnection(port))
    sockets.push(...(await Promise.all(some)))
  }
  for (const socket of sockets) socket.write(bytes)
  return sockets
}

/** Fewer than a server's backlog: any beyond it would be retried only after a second. */
const BACKLOG = 200

/** Sends a head, then the same chunk as fast as it is accepted, until the other side closes the connection. */
export async function sendEndlessly(
  port: number,
  head: string,
  piece: string,
): Promise<{ sent: number; received: string }> {
  const socket = connect(port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => (received += text))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(head)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const send = (): void => {
    while (socket.writable && socket.write(piece));
  }
  socket.on('drain', send)
  send()
  await closed
  return { sent: socket.bytesWritten, received }
}

/** The peak memory of a process, in megabytes (10^6 bytes). Linux only. */
export function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1.024e-3
}
