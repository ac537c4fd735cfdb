import { SettingsError } from '../settings/read-settings.ts'

/** Why a process can’t start and what to do, one line per problem; `portSetting`: the setting of its only port. */
export function explainFailure(error: unknown, portSetting?: string): readonly string[] {
  if (error instanceof SettingsError) return error.lines
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number }
  const where = port ? `port ${port}` : message
  switch (code) {
    case 'EADDRINUSE':
      if (portSetting !== undefined && port !== undefined) return [portTaken(portSetting, port)]
      return [`${where} is taken by another process: stop that one, or choose another port (0: any free one).`]
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return [`HOST or GRPC_HOST is not an address of this machine (${message}).`]
    default:
      return [message ?? String(error)]
  }
}

/** What to do about a port that another process uses; `setting`: the port's setting. */
export function portTaken(setting: string, port: number | undefined): string {
  return `${setting}=${port} is taken by another process: stop that one, or set ${setting} to another port (0: any free one).`
}
