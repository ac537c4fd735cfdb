import type { ServerResponse } from 'node:http'

/**
 * Closes the connection of an answer of which its caller takes nothing for that long. Call it once the answer is ended.
 * Nearly always the system has taken all of it, and there is nothing to do.
 */
export function closeWhenStalled({ socket }: ServerResponse, milliseconds: number): void {
  // Each byte that is taken restarts it; Node closes the connection when it expires.
  if (socket !== null && socket.writableLength > 0) socket.setTimeout(milliseconds)
}

/** The same for an answer in chunks, before its first: it may take as long as its caller keeps taking. */
export function destroyWhenStalled(res: ServerResponse, milliseconds: number): void {
  res.setTimeout(milliseconds, () => {
    if (res.writableLength > 0) res.destroy()
    // The next chunk isn't ready yet, which isn't the caller's fault.
    else res.setTimeout(milliseconds)
  })
}
