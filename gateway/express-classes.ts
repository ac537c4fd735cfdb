import type * as http from 'node:http'
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from '../shared/runtime/http/node-http.ts'
import type { Exchange } from './http/exchange.ts'
import type { Turns } from './http/in-turn.ts'

/**
 * Request and response classes that already have the prototypes Express would otherwise set on every object, which
 * takes 5 % of a request's time.
 *
 * Node's parser turns everything it has read into requests, thousands at a time, and stops only after one that upgrades
 * its connection, so a refused request claims to be an upgrade.
 */
export function expressClasses(
  app: Express,
  turns: Pick<Turns, 'isRefused'>,
): {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
} {
  class GatewayRequest extends IncomingMessage {
    private isUpgrade: boolean | undefined = undefined

    // Node asks once it has read the headers, and twice more.
    get upgrade(): boolean {
      this.isUpgrade ??= turns.isRefused(this) || this.method === 'CONNECT'
      return this.isUpgrade
    }

    set upgrade(_: boolean) {}
  }
  class GatewayResponse<Request extends http.IncomingMessage = http.IncomingMessage> extends ServerResponse<Request> {
    readonly locals: { exchange?: Exchange } = {}
  }
  Object.setPrototypeOf(GatewayRequest.prototype, app.request)
  Object.setPrototypeOf(GatewayResponse.prototype, app.response)
  Object.assign(app, { request: GatewayRequest.prototype, response: GatewayResponse.prototype })
  return { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse }
}
