import { isIP } from 'node:net'
import { z } from 'zod'
import {
  HOST,
  LOG_LEVEL,
  METRICS_ALLOWED_HOSTS,
  METRICS_PORT,
  MINT_API_KEY,
} from '../shared/runtime/settings/common.ts'
import { port, type SecretFiles, wholeNumber } from '../shared/runtime/settings/read-settings.ts'
import { grpcTlsFiles, grpcTlsSettings, restTlsFiles, restTlsSettings } from '../shared/runtime/settings/tls.ts'

/** `TRUSTED_PROXIES`: addresses, ranges, or proxy-addr's names for ranges, separated by commas. */
const trustedProxiesSetting = z
  .string()
  .default('')
  .transform((list) => list.split(',').map((entry) => entry.trim()))
  .transform((entries) => entries.filter((entry) => entry !== ''))
  .refine((entries) => entries.every(isProxyRange))
  .meta({
    allowed: 'addresses or ranges (10.0.0.0/8), loopback, linklocal or uniquelocal, separated by commas',
  })

function isProxyRange(entry: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(entry)) return true
  const [address = '', bits, ...more] = entry.split('/')
  const most = isIP(address) === 4 ? 32 : 128
  return isIP(address) !== 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= most))
}

/** `DRAIN_SECONDS`: how long a gateway keeps serving after SIGTERM. */
export const drainSeconds = (standard: number) => wholeNumber({ min: 0, max: 3_600, standard })

/** The gateway's settings, in one process with the services or on its own. */
export const gatewaySettings = {
  PORT: port(8080),
  HOST,
  METRICS_PORT,
  METRICS_ALLOWED_HOSTS,
  MINT_API_KEY,
  RATE_LIMIT_PER_SECOND: wholeNumber({ min: 1, max: 1_000_000, standard: 300 }),
  PUBLIC_RATE_LIMIT_PER_SECOND: wholeNumber({ min: 1, max: 1_000_000, standard: 50 }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  MAX_CONNECTIONS: wholeNumber({ min: 1, max: 1_000_000, standard: 1_024 }),
  DRAIN_SECONDS: drainSeconds(0),
  ...restTlsSettings,
  ...grpcTlsSettings,
  LOG_LEVEL,
}

/** Converts the settings to the gateway's configuration. */
export function toGatewayConfig(
  settings: z.output<z.ZodObject<typeof gatewaySettings>> & { readonly files: SecretFiles },
) {
  return {
    host: settings.HOST,
    // 0 picks a free port, here and for every other port.
    port: settings.PORT,
    metricsPort: settings.METRICS_PORT,
    metricsHosts: settings.METRICS_ALLOWED_HOSTS,
    // The secret itself.
    apiKey: settings.MINT_API_KEY,
    secretFiles: settings.files,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    // Applies to each address without a valid key, and on public paths.
    publicRateLimitPerSecond: settings.PUBLIC_RATE_LIMIT_PER_SECOND,
    trustedProxies: settings.TRUSTED_PROXIES,
    maxConnections: settings.MAX_CONNECTIONS,
    // How long it keeps serving after SIGTERM.
    drainMilliseconds: settings.DRAIN_SECONDS * 1_000,
    // undefined: no TLS, here and for gRPC.
    tlsFiles: restTlsFiles(settings),
    grpcTlsFiles: grpcTlsFiles(settings),
    logLevel: settings.LOG_LEVEL,
  }
}
