import { BUSINESSES_ADDRESS, CONTRACTS_ADDRESS } from '../shared/runtime/settings/common.ts'
import { mongoSettings, toMongoConfig } from '../shared/runtime/settings/production.ts'
import { readSettings } from '../shared/runtime/settings/read-settings.ts'
import { drainSeconds, gatewaySettings, toGatewayConfig } from './config.ts'

// Load balancers need time to notice that it is draining, and to switch to other gateways.
const DRAIN_SECONDS = drainSeconds(5)
const remoteSettings = { DRAIN_SECONDS, ...mongoSettings, CONTRACTS_ADDRESS, BUSINESSES_ADDRESS }

/** The configuration of a gateway in its own process: the services run elsewhere, and API keys are on MongoDB. */
export type RemoteGatewayConfig = ReturnType<typeof readRemoteGatewayConfig>

/** Reads the configuration of a gateway in its own process. Throws SettingsError. */
export function readRemoteGatewayConfig(environment: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings({ ...gatewaySettings, ...remoteSettings }, environment)
  return {
    ...toGatewayConfig(settings),
    ...toMongoConfig(settings),
    contractsAddress: settings.CONTRACTS_ADDRESS,
    businessesAddress: settings.BUSINESSES_ADDRESS,
  }
}
