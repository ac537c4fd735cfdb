import type * as http from 'node:http'
import type { Socket } from 'node:net'
import { IncomingMessage } from '../../shared/node-http.ts'
import type { Turns } from './in-turn.ts'

/**
 * The class of requests for `createServer`: one that comes before its turn may be refused at its birth. Node's parser
 * makes requests of all that it has read, thousands at a time, and stops behind one that upgrades its connection alone.
 * A refused request says that it does: as no upgrade is offered, Node closes the connection.
 */
export function refusingRequests(turns: Pick<Turns, 'isBusy' | 'isRefused'>): typeof IncomingMessage {
  return class extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      if (turns.isBusy(socket)) refuseByUpgrade(this, turns.isRefused)
    }
  }
}

function refuseByUpgrade(req: http.IncomingMessage, isRefused: (req: http.IncomingMessage) => boolean): void {
  let upgrade = false
  let refused: boolean | undefined
  Object.defineProperty(req, 'upgrade', {
    get() {
      refused ??= isRefused(req)
      return upgrade || refused
    },
    set(value: boolean) {
      upgrade = value
    },
  })
}
