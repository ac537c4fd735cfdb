import type * as http from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from '../shared/runtime/http/node-http.ts'
import type { Exchange } from './http/exchange.ts'
import type { Turns } from './http/in-turn.ts'

/**
 * Classes whose requests and responses are born with the prototypes that Express would otherwise give to each one as it
 * comes, which costs a twentieth of a request. A request that comes before its turn may be refused at its birth.
 */
export function bornForExpress(
  app: Express,
  turns: Pick<Turns, 'isBusy' | 'isRefused'>,
): {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
} {
  class GatewayRequest extends IncomingMessage {
    constructor(socket: Socket) {
      super(socket)
      if (turns.isBusy(socket)) refuseByUpgrade(this, turns.isRefused)
    }
  }
  class GatewayResponse<Request extends http.IncomingMessage = http.IncomingMessage> extends ServerResponse<Request> {
    readonly locals: { exchange?: Exchange } = {}
  }
  Object.setPrototypeOf(GatewayRequest.prototype, app.request)
  Object.setPrototypeOf(GatewayResponse.prototype, app.response)
  Object.assign(app, { request: GatewayRequest.prototype, response: GatewayResponse.prototype })
  return { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse }
}

/**
 * Node's parser makes requests of all that it has read, thousands at a time, and stops behind one that upgrades its
 * connection alone. A refused request says that it does: as no upgrade is offered, Node closes the connection.
 */
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
