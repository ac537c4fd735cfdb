import { BUSINESSES_PORT } from '../../shared/settings/common.ts'
import { type ProductionConfig, productionSettings, toProductionConfig } from '../../shared/settings/production.ts'
import { readSettings } from '../../shared/settings/read-settings.ts'

export interface BusinessesConfig extends ProductionConfig {
  /** 0: a free one. */
  readonly port: number
}

/** Reads the configuration of the businesses service in a process of its own. Throws SettingsError. */
export function readBusinessesConfig(environment: Readonly<Record<string, string | undefined>>): BusinessesConfig {
  const settings = readSettings({ ...productionSettings, BUSINESSES_PORT }, environment)
  return { ...toProductionConfig(settings), port: settings.BUSINESSES_PORT }
}
