/** Settings that several processes of Mint read, each defined once; a process uses what it needs. */
import { z } from 'zod'
import { isSecretForm } from '../../api-keys/secret.ts'
import { choice, isHostAndPort, listOf, port, SECRET, type SecretFiles, wholeNumber } from './read-settings.ts'
import { grpcTlsFiles, grpcTlsSettings } from './tls.ts'
import { toTracingConfig, tracingSettings } from './tracing.ts'

export const hostNames = listOf((name) => /^[\w.-]+$/.test(name), 'host names')
const host = z.string().default('127.0.0.1').meta({ allowed: 'an address or a host name' })

/** Where a process listens: for REST and metrics, and for gRPC. */
const HOST = host
export const GRPC_HOST = host
export const CONTRACTS_PORT = port(50051)
export const BUSINESSES_PORT = port(50052)
/** Where Prometheus reads a process's metrics. */
const METRICS_PORT = port(9464)
/** Host names with a dot through which Prometheus may do so. */
const METRICS_ALLOWED_HOSTS = hostNames

/** `host:port` or, for gRPC to resolve, `dns:///host:port` or several as `ipv4:…,…`. */
const serviceAddress = (standard: string) =>
  z
    .string()
    .refine((text) => {
      const [, several, one = ''] = /^(?:ipv[46]:(.+)|(?:dns:(?:\/\/[^/]*\/)?)?(.+))$/.exec(text) ?? []
      return (several?.split(',') ?? [one]).every(isHostAndPort)
    })
    .default(standard)
    .meta({ allowed: 'host:port, dns:///host:port, or several as ipv4:10.0.0.1:50051,10.0.0.2:50051' })

/** Where the other processes find the services. */
export const CONTRACTS_ADDRESS = serviceAddress('127.0.0.1:50051')
export const BUSINESSES_ADDRESS = serviceAddress('127.0.0.1:50052')

/** If set: a key with all scopes. */
export const MINT_API_KEY = z
  .string()
  .refine(isSecretForm)
  .optional()
  .meta({ ...SECRET, allowed: 'mint_ followed by 16 to 128 visible ASCII characters' })

/** Calls with one key, over REST and gRPC. */
const RATE_LIMIT_PER_SECOND = wholeNumber({ min: 1, max: 1_000_000, standard: 300 })

/** Whether contracts for an unknown client are refused. */
export const REQUIRE_KNOWN_CLIENT = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .default(false)
  .meta({ allowed: 'true or false' })
const LOG_LEVEL = choice(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info')

/** The settings of every process that callers can reach. */
export const commonSettings = {
  HOST,
  METRICS_PORT,
  METRICS_ALLOWED_HOSTS,
  MINT_API_KEY,
  RATE_LIMIT_PER_SECOND,
  ...grpcTlsSettings,
  ...tracingSettings,
  LOG_LEVEL,
}

/** Converts the settings to the form that the parts of a process use. */
export function toCommonConfig(
  settings: z.output<z.ZodObject<typeof commonSettings>> & { readonly files: SecretFiles },
) {
  return {
    host: settings.HOST,
    // 0: any free port, as for every port.
    metricsPort: settings.METRICS_PORT,
    metricsHosts: settings.METRICS_ALLOWED_HOSTS.map((name) => name.toLowerCase()),
    // The secret itself.
    apiKey: settings.MINT_API_KEY,
    secretFiles: settings.files,
    rateLimitPerSecond: settings.RATE_LIMIT_PER_SECOND,
    // undefined: no TLS.
    grpcTlsFiles: grpcTlsFiles(settings),
    // undefined: nothing is traced.
    tracing: toTracingConfig(settings),
    logLevel: settings.LOG_LEVEL,
  }
}
