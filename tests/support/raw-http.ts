import { connect, type Socket } from 'node:net'
import type { RestAnswer } from './rest.ts'

/**
 * Sends bytes over a new connection and returns everything received until the gateway closes it, or until `until`
 * matches. Fails if neither happens within 10 s.
 */
export function sendRaw(port: number, bytes: string | Buffer, until?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(received)
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`no end of the answer after 10 s: ${JSON.stringify(received)}`))
    }, 10_000)
    socket.setEncoding('utf8')
    socket.on('data', (text) => {
      received += text
      if (until?.test(received)) end()
    })
    socket.on('close', end)
    socket.on('error', () => undefined)
  })
}

/** Sends a request after which the gateway closes the connection, and parses its one answer. */
export async function callRaw(port: number, bytes: string | Buffer): Promise<RestAnswer> {
  return parseAnswer(await sendRaw(port, bytes))
}

/** An open connection with an incomplete request. */
export function beginRaw(port: number, bytes: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket)))
    socket.on('error', reject)
  })
}

/** Parses one complete answer. */
export function parseAnswer(received: string): RestAnswer {
  const [head = '', text = ''] = splitOnce(received, '\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(lines.map((line) => splitOnce(line, ': ')))
  return { status: Number(first.split(' ')[1]), headers, text, body: text === '' ? undefined : JSON.parse(text) }
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
