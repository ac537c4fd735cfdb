import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Makes a peer listen on a free port, and print its address. */
export function listen(app: { listen(port: number, host: string, listening: () => void): Server }): void {
  const server = app.listen(0, '127.0.0.1', () => {
    console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
}
