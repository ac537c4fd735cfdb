import { flag, port, readSettings } from '../../shared/env.ts'
import {
  type ProductionConfig,
  productionSettings,
  serviceAddress,
  toProductionConfig,
} from '../../shared/production-settings.ts'

const contractsSettings = {
  ...productionSettings,
  CONTRACTS_PORT: port(50051),
  BUSINESSES_ADDRESS: serviceAddress('127.0.0.1:50052'),
  REQUIRE_KNOWN_CLIENT: flag(false),
}

export interface ContractsConfig extends ProductionConfig {
  /** 0: a free one. */
  readonly port: number
  readonly businessesAddress: string
  readonly requireKnownClient: boolean
}

/** Reads the configuration of the contracts service in a process of its own. Throws SettingsError. */
export function readContractsConfig(environment: Readonly<Record<string, string | undefined>>): ContractsConfig {
  const settings = readSettings(contractsSettings, environment)
  return {
    ...toProductionConfig(settings),
    port: settings.CONTRACTS_PORT,
    businessesAddress: settings.BUSINESSES_ADDRESS,
    requireKnownClient: settings.REQUIRE_KNOWN_CLIENT,
  }
}
