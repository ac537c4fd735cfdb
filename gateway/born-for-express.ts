import type * as http from 'node:http'
import type { Express } from 'express'
import { IncomingMessage, ServerResponse } from '../shared/node-http.ts'
import type { Exchange } from './http/exchange.ts'

/**
 * Classes for `createServer` whose requests and responses have, from the start, the prototypes that Express would
 * otherwise give to each one as it comes: changing them costs a twentieth of a request. To be called once for an app.
 */
export function bornForExpress(app: Express): {
  IncomingMessage: typeof IncomingMessage
  ServerResponse: typeof ServerResponse
} {
  class GatewayRequest extends IncomingMessage {}
  class GatewayResponse<Request extends http.IncomingMessage = http.IncomingMessage> extends ServerResponse<Request> {
    readonly locals: { exchange?: Exchange } = {}
  }
  Object.setPrototypeOf(GatewayRequest.prototype, app.request)
  Object.setPrototypeOf(GatewayResponse.prototype, app.response)
  Object.assign(app, { request: GatewayRequest.prototype, response: GatewayResponse.prototype })
  return { IncomingMessage: GatewayRequest, ServerResponse: GatewayResponse }
}
