import type { Writable } from 'node:stream'

/**
 * Closes a connection, or a response's connection, once the caller hasn't read any of the data sent to it for this many
 * milliseconds; Node may need twice that to notice. A connection without data to read isn't stalled.
 */
export function closeWhenStalled(sent: Writable & { setTimeout(ms: number): unknown }, milliseconds: number): void {
  sent.setTimeout(milliseconds)
  sent.on('timeout', () => {
    if (sent.writableLength > 0) sent.destroy()
    else sent.setTimeout(milliseconds)
  })
}
