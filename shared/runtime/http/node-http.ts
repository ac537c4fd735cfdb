/**
 * Node's `http`. Importing it as an ES module would read each of its properties, which loads Node's WebSocket code and
 * makes starts take a fifth longer.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
