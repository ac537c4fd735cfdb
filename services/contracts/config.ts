import { BUSINESSES_ADDRESS, CONTRACTS_PORT, REQUIRE_KNOWN_CLIENT } from '../../shared/runtime/settings/common.ts'
import { productionSettings, toProductionConfig } from '../../shared/runtime/settings/production.ts'
import { readSettings } from '../../shared/runtime/settings/read-settings.ts'

const contractsSettings = { ...productionSettings, CONTRACTS_PORT, BUSINESSES_ADDRESS, REQUIRE_KNOWN_CLIENT }

export type ContractsConfig = ReturnType<typeof readContractsConfig>

/** Reads the configuration of the contracts service in its own process. Throws SettingsError. */
export function readContractsConfig(environment: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings(contractsSettings, environment)
  return {
    ...toProductionConfig(settings),
    port: settings.CONTRACTS_PORT,
    businessesAddress: settings.BUSINESSES_ADDRESS,
    requireKnownClient: settings.REQUIRE_KNOWN_CLIENT,
  }
}
