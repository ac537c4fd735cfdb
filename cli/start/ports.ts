import { once } from 'node:events'
import { createServer } from 'node:net'
import { portTaken } from '../../shared/runtime/process/start-failure.ts'
import { SettingsError } from '../../shared/runtime/settings/read-settings.ts'
import type { EmbeddedConfig } from './config.ts'

/** Reachable only from this machine. */
export const LOOPBACK = '127.0.0.1'

/** Throws SettingsError with one line if two servers are given the same port. */
export function checkPorts(config: EmbeddedConfig): void {
  const settings = portSettings(config)
  for (const [index, [name, port]] of settings.entries()) {
    const same = settings.slice(index + 1).find(([, other]) => other === port && port !== 0)
    if (!same) continue
    const remedy = 'set one of them to another port (0: any free one)'
    throw new SettingsError([`${name} and ${same[0]} are equal (${port}): ${remedy}.`])
  }
}

/** Throws SettingsError with a line for each port that another process uses, before a start does any work. */
export async function checkPortsAreFree(config: EmbeddedConfig): Promise<void> {
  const settings = portSettings(config)
  const taken = await Promise.all(settings.map(([, port, host]) => isTaken(port, host)))
  const lines = settings.filter((_, index) => taken[index]).map(([name, port]) => portTaken(name, port))
  if (lines.length > 0) throw new SettingsError(lines)
}

async function isTaken(port: number, host: string): Promise<boolean> {
  if (port === 0) return false
  const probe = createServer().listen(port, host)
  try {
    await once(probe, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return true
    throw error
  }
  probe.close()
  await once(probe, 'close')
  return false
}

const portSettings = ({ gateway, grpcHost, contractsPort, businessesPort }: EmbeddedConfig) =>
  [
    ['PORT', gateway.port, gateway.host],
    ['CONTRACTS_PORT', contractsPort, grpcHost],
    ['BUSINESSES_PORT', businessesPort, grpcHost],
    ['METRICS_PORT', gateway.metricsPort, LOOPBACK],
  ] as const
