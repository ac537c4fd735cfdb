import type * as http from 'node:http'
import type { Socket } from 'node:net'
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from '../shared/runtime/http/node-http.ts'
import type { Exchange } from './http/exchange.ts'
import type { Turns } from './http/in-turn.ts'

/**
 * Request and response classes that already have the prototypes Express would otherwise set on every object, which
 * takes a twentieth of the time of a request. A request that arrives before its turn may be refused in its constructor.
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
 * Node's parser turns everything it has read into requests, thousands at a time, and stops only after one that upgrades
 * its connection. So a refused request claims to be an upgrade: as the server offers none, Node closes the connection.
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
