import type { ServerResponse } from 'node:http'

/** Ends a response whose headers are written, with its body. */
export type End = (res: ServerResponse, body: string | Buffer) => void

/**
 * Ends the responses of one turn of the event loop together, once it is over. A write wakes its reader in the middle of
 * the turn's work: ending responses one by one, on 64 connections, takes a third more CPU time per GET.
 */
export function endTogether(endAtOnce: End): End {
  let waiting: (readonly [ServerResponse, string | Buffer])[] = []

  function endAll(): void {
    const all = waiting
    waiting = []
    for (const [res, body] of all) endAtOnce(res, body)
  }

  return (res, body) => {
    if (waiting.push([res, body]) === 1) setImmediate(endAll)
  }
}
