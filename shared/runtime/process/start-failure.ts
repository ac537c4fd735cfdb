import { SettingsError } from '../settings/read-settings.ts'

/** Why a process can’t start and what to do, one line per problem; `portSetting`: the setting of its only port. */
export function explainFailure(error: unknown, portSetting?: string): readonly string[] {
  if (error instanceof SettingsError) return error.lines
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number }
  if (portSetting !== undefined && port !== undefined) {
    if (code === 'EADDRINUSE') return [portTaken(portSetting, port)]
    if (code === 'EACCES') return [portForbidden(portSetting, port)]
  }
  const isNotHere = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND'
  return [isNotHere ? `HOST or GRPC_HOST is not an address of this machine (${message}).` : message]
}

const portTaken = (setting: string, port: number): string =>
  `${setting}=${port} is taken by another process: stop that one, or set ${setting} to another port (0: any free one).`

/** Usually a port below 1024. */
const portForbidden = (setting: string, port: number): string =>
  `${setting}=${port} is not for this user to listen on: set ${setting} to a port from 1024 on (0: any free one).`
