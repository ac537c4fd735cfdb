import { portTaken as explain } from '../../shared/process/start-failure.ts'
import { SettingsError } from '../../shared/settings/read-settings.ts'
import type { EmbeddedConfig } from './config.ts'

type PortSetting = readonly [name: string, port: number]

/** Throws SettingsError with one line when two servers are given the same port. */
export function checkPorts(config: EmbeddedConfig): void {
  const settings = portSettings(config)
  for (const [index, [name, port]] of settings.entries()) {
    const same = settings.slice(index + 1).find(([, other]) => other === port && port !== 0)
    if (same) {
      throw new SettingsError([
        `${name} and ${same[0]} are equal (${port}): set one of them to another port (0: any free one).`,
      ])
    }
  }
}

/** What to do about a port that another process has, under the name of its setting. */
export function portTaken(config: EmbeddedConfig, port: number | undefined): string {
  const [name] = portSettings(config).find(([, asked]) => asked === port) ?? ['PORT']
  return explain(name, port)
}

const portSettings = ({ gateway, contractsPort, businessesPort }: EmbeddedConfig): readonly PortSetting[] => [
  ['PORT', gateway.port],
  ['CONTRACTS_PORT', contractsPort],
  ['BUSINESSES_PORT', businessesPort],
  ['METRICS_PORT', gateway.metricsPort],
]
