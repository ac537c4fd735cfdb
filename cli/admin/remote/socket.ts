import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The file in a data folder through which commands of the same user reach the Mint that runs there. */
export const ADMIN_SOCKET = 'admin.sock'

/** A path to bind or connect the socket by, valid until it is disposed of. */
export interface SocketAddress extends Disposable {
  readonly path: string
}

/** The system allows a few more. */
const MAX_PATH_BYTES = 100

/** The address of a folder's socket: through the open folder if the path is too long and the system can do that. */
export function socketIn(folder: string): SocketAddress {
  const path = join(folder, ADMIN_SOCKET)
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES || !existsSync('/proc/self/fd')) {
    return { path, [Symbol.dispose]: () => undefined }
  }
  const descriptor = openSync(folder, 'r')
  return { path: `/proc/self/fd/${descriptor}/${ADMIN_SOCKET}`, [Symbol.dispose]: () => closeSync(descriptor) }
}

/** Whether a folder has a socket, which a killed Mint may have left behind. */
export const hasSocket = (folder: string): boolean => existsSync(join(folder, ADMIN_SOCKET))

/** Removes what a killed Mint left behind. Call it only while no Mint runs on the folder. Throws the system's error. */
export const removeSocket = (folder: string): void => rmSync(join(folder, ADMIN_SOCKET), { force: true })
