import { readSettings } from '../shared/env.ts'
import { serviceAddress } from '../shared/production-settings.ts'
import { type GatewayConfig, gatewaySettings, readGatewayConfig } from './config.ts'

/** Of a gateway in a process of its own: the services are elsewhere, and its key comes from outside. */
export interface RemoteGatewayConfig extends GatewayConfig {
  readonly apiKey: string
  readonly contractsAddress: string
  readonly businessesAddress: string
}

const settingsOfRemote = {
  MINT_API_KEY: gatewaySettings.MINT_API_KEY.unwrap().meta(gatewaySettings.MINT_API_KEY.meta() ?? {}),
  CONTRACTS_ADDRESS: serviceAddress('127.0.0.1:50051'),
  BUSINESSES_ADDRESS: serviceAddress('127.0.0.1:50052'),
}

/** Reads the configuration of a gateway in a process of its own. Throws SettingsError. */
export function readRemoteGatewayConfig(
  environment: Readonly<Record<string, string | undefined>>,
): RemoteGatewayConfig {
  const { MINT_API_KEY, CONTRACTS_ADDRESS, BUSINESSES_ADDRESS } = readSettings(settingsOfRemote, environment)
  return {
    ...readGatewayConfig(environment),
    apiKey: MINT_API_KEY,
    contractsAddress: CONTRACTS_ADDRESS,
    businessesAddress: BUSINESSES_ADDRESS,
  }
}
