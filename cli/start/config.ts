import { z } from 'zod'
import { gatewaySettings, toGatewayConfig } from '../../gateway/config.ts'
import {
  BUSINESSES_PORT,
  CONTRACTS_PORT,
  GRPC_HOST,
  REQUIRE_KNOWN_CLIENT,
} from '../../shared/runtime/settings/common.ts'
import { choice, readSettings } from '../../shared/runtime/settings/read-settings.ts'

/** The settings of embedded mode: everything in one process. */
export const embeddedSettings = {
  ...gatewaySettings,
  DATA_DIR: z.string().default('./data').meta({ allowed: 'a folder that can be written to' }),
  GRPC_HOST,
  CONTRACTS_PORT,
  BUSINESSES_PORT,
  REQUIRE_KNOWN_CLIENT,
  GATEWAY_TRANSPORT: choice(['direct', 'grpc'], 'direct'),
}

export type EmbeddedConfig = ReturnType<typeof readEmbeddedConfig>

/** Reads the configuration of embedded mode. Throws SettingsError with one line for each invalid value. */
export function readEmbeddedConfig(environment: Readonly<Record<string, string | undefined>>) {
  const settings = readSettings(embeddedSettings, environment)
  return {
    gateway: toGatewayConfig(settings),
    dataFolder: settings.DATA_DIR,
    // For the gRPC servers; port 0 picks a free one.
    grpcHost: settings.GRPC_HOST,
    contractsPort: settings.CONTRACTS_PORT,
    businessesPort: settings.BUSINESSES_PORT,
    requireKnownClient: settings.REQUIRE_KNOWN_CLIENT,
    // How the gateway calls the services: as functions, or through their gRPC servers.
    transport: settings.GATEWAY_TRANSPORT,
    // Settings that are present, but only used by separate processes.
    unused: ['MONGO_URL', 'KAFKA_BROKERS'].filter((name) => environment[name]),
  }
}
