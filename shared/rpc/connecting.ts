import { type Client, connectivityState } from '@grpc/grpc-js'

/** Resolves when a client has a connection, rejects when there is none by `deadline`. */
export function connected(client: Client, deadline: number): Promise<void> {
  if (client.getChannel().getConnectivityState(true) === connectivityState.READY) return Promise.resolve()
  return new Promise((resolve, reject) => client.waitForReady(deadline, (error) => (error ? reject(error) : resolve())))
}
