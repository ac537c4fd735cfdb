import type { Writable } from 'node:stream'

/**
 * Closes a connection, or that of a response, once its caller has taken nothing for that many milliseconds of what is
 * sent to it; Node may need twice that to notice. While there is nothing to take, it is no fault of the caller's.
 */
export function closeWhenStalled(sent: Writable & { setTimeout(ms: number): unknown }, milliseconds: number): void {
  sent.setTimeout(milliseconds)
  sent.on('timeout', () => {
    if (sent.writableLength > 0) sent.destroy()
    else sent.setTimeout(milliseconds)
  })
}
