import { BUSINESSES_ADDRESS, CONTRACTS_ADDRESS } from '../shared/runtime/settings/common.ts'
import { productionSettings } from '../shared/runtime/settings/production.ts'
import { readSettings } from '../shared/runtime/settings/read-settings.ts'
import { serviceProofSettings, toServiceProof } from '../shared/runtime/settings/service-proof.ts'
import { drainSeconds, gatewaySettings, toGatewayConfig } from './config.ts'

const { MONGO_URL, NAMESPACE, VIEWS_DIR } = productionSettings
// Load balancers need time to notice that it is draining, and to switch to other gateways.
const DRAIN_SECONDS = drainSeconds(5)
const remoteSettings = {
  DRAIN_SECONDS,
  MONGO_URL,
  NAMESPACE,
  VIEWS_DIR,
  CONTRACTS_ADDRESS,
  BUSINESSES_ADDRESS,
  ...serviceProofSettings,
}

/** The configuration of a gateway in its own process: the services run elsewhere, and API keys are on MongoDB. */
export type RemoteGatewayConfig = ReturnType<typeof readRemoteGatewayConfig>

/** Reads the configuration of a gateway in its own process. Throws SettingsError. */
export function readRemoteGatewayConfig(environment: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings({ ...gatewaySettings, ...remoteSettings }, environment)
  return {
    ...toGatewayConfig(settings),
    mongoUrl: settings.MONGO_URL,
    mongoUrlFile: settings.files.MONGO_URL_FILE,
    namespace: settings.NAMESPACE,
    // The folder of the process's own views.
    viewsFolder: settings.VIEWS_DIR,
    serviceProof: toServiceProof(settings),
    contractsAddress: settings.CONTRACTS_ADDRESS,
    businessesAddress: settings.BUSINESSES_ADDRESS,
  }
}
