import { z } from 'zod'
import { HOST, LOG_LEVEL, METRICS_PORT } from '../shared/settings/common.ts'
import { port, SECRET, wholeNumber } from '../shared/settings/read-settings.ts'
import { isSecretForm } from './auth/secret.ts'

/** `MINT_API_KEY`, when given: a key with all scopes. */
const apiKeySetting = z
  .string()
  .refine(isSecretForm)
  .optional()
  .meta({ ...SECRET, allowed: 'mint_ followed by 16 to 128 visible ASCII characters' })

/** The settings of the gateway, whatever it runs in. */
export const gatewaySettings = {
  PORT: port(8080),
  HOST,
  METRICS_PORT,
  MINT_API_KEY: apiKeySetting,
  RATE_LIMIT_PER_SECOND: wholeNumber({ min: 1, max: 1_000_000, standard: 300 }),
  LOG_LEVEL,
}

/** The gateway's typed configuration. */
export interface GatewayConfig {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
  /** 0: a free one. */
  readonly metricsPort: number
  /** The secret itself. */
  readonly apiKey: string | undefined
  readonly rateLimitPerSecond: number
  readonly logLevel: string
}

/** The settings, as the gateway takes them. */
export function toGatewayConfig(settings: z.output<z.ZodObject<typeof gatewaySettings>>): GatewayConfig {
  return {
    host: settings.HOST,
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    apiKey: settings.MINT_API_KEY,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    logLevel: settings.LOG_LEVEL,
  }
}
