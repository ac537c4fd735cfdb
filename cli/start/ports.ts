import { checkIsFree } from '../../shared/runtime/listen.ts'
import { explainFailure } from '../../shared/runtime/process/start-failure.ts'
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

/** Throws SettingsError with a line for each port that can't be listened on, before a start does any work. */
export async function checkPortsAreFree(config: EmbeddedConfig): Promise<void> {
  const lines = (await Promise.all(portSettings(config).map(whyNotFree))).flat()
  if (lines.length > 0) throw new SettingsError(lines)
}

async function whyNotFree([name, port, host]: readonly [string, number, string]): Promise<readonly string[]> {
  return await checkIsFree(host, port).then(
    () => [],
    (error) => explainFailure(error, name),
  )
}

const portSettings = ({ gateway, grpcHost, contractsPort, businessesPort }: EmbeddedConfig) =>
  [
    ['PORT', gateway.port, gateway.host],
    ['CONTRACTS_PORT', contractsPort, grpcHost],
    ['BUSINESSES_PORT', businessesPort, grpcHost],
    ['METRICS_PORT', gateway.metricsPort, LOOPBACK],
  ] as const
