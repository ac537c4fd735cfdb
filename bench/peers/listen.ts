import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Has a peer listen on a free port, and say where on standard output. */
export function listen(app: { listen(port: number, host: string, listening: () => void): Server }): void {
  const server = app.listen(0, '127.0.0.1', () => {
    console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}
