import { EventEmitter } from 'node:events'

/** A stream as its caller's end sees it: open until `close` is called. */
class ClosableStream extends EventEmitter {
  closed = false

  close(): void {
    this.closed = true
    this.emit('close')
  }
}

export const aClosable = () => new ClosableStream()
