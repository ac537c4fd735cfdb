/**
 * Node's `http`. Imported as an ES module it would bring along, by reading every property of it once, what Node keeps
 * ready for WebSocket: starts take a fifth longer.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
