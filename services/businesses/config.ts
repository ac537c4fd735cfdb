import { BUSINESSES_PORT } from '../../shared/runtime/settings/common.ts'
import { productionSettings, toProductionConfig } from '../../shared/runtime/settings/production.ts'
import { readSettings } from '../../shared/runtime/settings/read-settings.ts'

export type BusinessesConfig = ReturnType<typeof readBusinessesConfig>

/** Reads the configuration of the businesses service in its own process. Throws SettingsError. */
export function readBusinessesConfig(environment: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings({ ...productionSettings, BUSINESSES_PORT }, environment)
  return { ...toProductionConfig(settings), port: settings.BUSINESSES_PORT }
}
