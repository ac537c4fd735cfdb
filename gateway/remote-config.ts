import { BUSINESSES_ADDRESS, CONTRACTS_ADDRESS } from '../shared/common-settings.ts'
import { readSettings } from '../shared/env.ts'
import { type GatewayConfig, gatewaySettings, toGatewayConfig } from './config.ts'

/** Of a gateway in a process of its own: the services are elsewhere, and its key comes from outside. */
export interface RemoteGatewayConfig extends GatewayConfig {
  readonly apiKey: string
  readonly contractsAddress: string
  readonly businessesAddress: string
}

const remoteGatewaySettings = {
  ...gatewaySettings,
  MINT_API_KEY: gatewaySettings.MINT_API_KEY.unwrap().meta(gatewaySettings.MINT_API_KEY.meta() ?? {}),
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
    apiKey: settings.MINT_API_KEY,
    contractsAddress: settings.CONTRACTS_ADDRESS,
    businessesAddress: settings.BUSINESSES_ADDRESS,
  }
}
