import { BUSINESSES_ADDRESS, CONTRACTS_ADDRESS } from '../shared/settings/common.ts'
import { productionSettings } from '../shared/settings/production.ts'
import { readSettings } from '../shared/settings/read-settings.ts'
import { drainSeconds, type GatewayConfig, gatewaySettings, toGatewayConfig } from './config.ts'

/** Of a gateway in a process of its own: the services are elsewhere, and its keys on MongoDB. */
export interface RemoteGatewayConfig extends GatewayConfig {
  readonly mongoUrl: string
  readonly namespace: string
  /** As in ProductionConfig. */
  readonly viewsFolder: string
  readonly contractsAddress: string
  readonly businessesAddress: string
}

const remoteGatewaySettings = {
  ...gatewaySettings,
  // Others take over meanwhile: what spreads requests over them has to notice.
  DRAIN_SECONDS: drainSeconds(5),
  MONGO_URL: productionSettings.MONGO_URL,
  NAMESPACE: productionSettings.NAMESPACE,
  VIEWS_DIR: productionSettings.VIEWS_DIR,
  CONTRACTS_ADDRESS,
  BUSINESSES_ADDRESS,
}

/** Reads the configuration of a gateway in a process of its own. Throws SettingsError. */
export function readRemoteGatewayConfig(
  environment: Readonly<Record<string, string | undefined>>,
): RemoteGatewayConfig {
  const settings = readSettings(remoteGatewaySettings, environment)
  return {
    ...toGatewayConfig(settings),
    mongoUrl: settings.MONGO_URL,
    namespace: settings.NAMESPACE,
    viewsFolder: settings.VIEWS_DIR,
    contractsAddress: settings.CONTRACTS_ADDRESS,
    businessesAddress: settings.BUSINESSES_ADDRESS,
  }
}
