import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** In a data folder: through it, its user's commands reach the Mint that runs there. */
export const ADMIN_SOCKET = 'admin.sock'

/** A place of the socket that the system can bind and connect: it takes about 100 bytes. */
export interface SocketPlace extends Disposable {
  readonly path: string
}

const LONGEST_PATH = 100

/** Where the socket of a folder is; by way of the open folder, where the path is long and the system knows such ways. */
export function socketIn(folder: string): SocketPlace {
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
