import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The file in a data folder through which commands of the same user reach the Mint that runs there. */
export const ADMIN_SOCKET = 'admin.sock'

/** A path to bind or connect the socket by, valid until it is disposed of. */
export interface SocketAddress extends Disposable {
  readonly path: string
}

/** In bytes: the system allows a few more. */
const LONGEST_PATH = 100

/** The address of a folder's socket: through the open folder if the path is too long and the system can do that. */
export function socketIn(folder: string): SocketAddress {
  const path = join(folder, ADMIN_SOCKET)
  if (Buffer.byteLength(path) <= LONGEST_PATH || !existsSync('/proc/self/fd')) {
    return { path, [Symbol.dispose]: () => undefined }
  }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${ADMIN_SOCKET}`, [Symbol.dispose]: () => closeSync(descriptor) }
}

/** Whether a folder has a socket, if only one that a killed Mint has left. */
export const hasSocket = (folder: string): boolean => existsSync(join(folder, ADMIN_SOCKET))

/** Removes what a killed Mint has left. Call it only while no Mint runs on the folder. Throws the system's error. */
export const removeSocket = (folder: string): void => rmSync(join(folder, ADMIN_SOCKET), { force: true })
