/**
 * Node's `http`. Importing it as an ES module would read all of its properties, which loads Node's WebSocket code and
 * makes starts a fifth slower.
 */
export const { createServer, IncomingMessage, ServerResponse, STATUS_CODES } = process.getBuiltinModule('node:http')
