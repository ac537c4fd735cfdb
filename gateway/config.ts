import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import { z } from 'zod'
import { commonSettings, hostNames, toCommonConfig } from '../shared/runtime/settings/common.ts'
import { listOf, port, SECRET, type SecretFiles, wholeNumber } from '../shared/runtime/settings/read-settings.ts'
import { restTlsFiles, restTlsSettings } from '../shared/runtime/settings/tls.ts'
import { signInSettings, toSignInConfig } from './sign-in/settings.ts'

const require = createRequire(import.meta.url)

/** `TRUSTED_PROXIES`: addresses, ranges, or proxy-addr's names for ranges, separated by commas. */
const trustedProxiesSetting = listOf(
  isProxyRange,
  'addresses or ranges (10.0.0.0/8), loopback, linklocal or uniquelocal',
)

/** Whether Express accepts it. `isIP` rules out `10`, which Express would read as 0.0.0.10. */
function isProxyRange(entry: string): boolean {
  if (!NAMED_RANGES.includes(entry) && isIP(entry.split('/')[0] ?? '') === 0) return false
  try {
    // Loaded only if the setting is used, as it would slow every start.
    const express = require('express') as typeof import('express')
    express().set('trust proxy', entry)
    return true
  } catch {
    return false
  }
}

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

/** `WEBHOOK_ALLOWED_NETWORKS`: addresses and ranges, separated by commas. */
const allowedNetworks = listOf(isNetwork, 'addresses or ranges (10.1.2.0/24)')

function isNetwork(entry: string): boolean {
  const [, address = '', prefix = '0'] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const maxPrefix = { 4: 32, 6: 128 }[isIP(address)]
  return maxPrefix !== undefined && Number(prefix) <= maxPrefix
}

/** The settings of webhooks, which the command line reads too. */
export const webhookSettings = {
  WEBHOOK_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{32,128}$/)
    .optional()
    .meta({ ...SECRET, allowed: '32 to 128 visible ASCII characters' }),
  WEBHOOK_ALLOWED_NETWORKS: allowedNetworks,
}

/** `SECURITY_CONTACT`: where to report a vulnerability. */
const securityContactSetting = z
  .string()
  .regex(/^(mailto:[^\s@]+@|https:\/\/)[\x21-\x7e]+$/)
  .optional()
  .meta({ allowed: 'a mailto: or https: URI, for example mailto:it@firm.example' })

/** `DRAIN_SECONDS`: how long a gateway keeps serving after SIGTERM. */
export const drainSeconds = (standard: number) => wholeNumber({ min: 0, max: 3_600, standard })

/** The gateway's settings, whether it shares a process with the services or runs in its own. */
export const gatewaySettings = {
  PORT: port(8080),
  ...commonSettings,
  CONSOLE_ALLOWED_HOSTS: hostNames,
  SECURITY_CONTACT: securityContactSetting,
  PUBLIC_RATE_LIMIT_PER_SECOND: wholeNumber({ min: 1, max: 1_000_000, standard: 50 }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  MAX_CONNECTIONS: wholeNumber({ min: 1, max: 1_000_000, standard: 1_024 }),
  DRAIN_SECONDS: drainSeconds(0),
  ...restTlsSettings,
  ...signInSettings,
  ...webhookSettings,
}

/** Converts the settings to the gateway's configuration. */
export function toGatewayConfig(
  settings: z.output<z.ZodObject<typeof gatewaySettings>> & { readonly files: SecretFiles },
) {
  return {
    ...toCommonConfig(settings),
    port: settings.PORT,
    // Host names with a dot under which pages are served.
    pageHosts: [settings.HOST, ...settings.CONSOLE_ALLOWED_HOSTS].map((name) => name.toLowerCase()),
    // Published in /.well-known/security.txt; undefined: there is no such file.
    securityContact: settings.SECURITY_CONTACT,
    // For each address: requests without a valid key, and those to public paths.
    publicRateLimitPerSecond: settings.PUBLIC_RATE_LIMIT_PER_SECOND,
    trustedProxies: settings.TRUSTED_PROXIES,
    maxConnections: settings.MAX_CONNECTIONS,
    // How long it keeps serving after SIGTERM.
    drainMilliseconds: settings.DRAIN_SECONDS * 1_000,
    // Seals the secrets of webhooks.
    webhookKey: settings.WEBHOOK_KEY,
    // Networks that webhooks may deliver to, besides the Internet.
    webhookNetworks: settings.WEBHOOK_ALLOWED_NETWORKS,
    // undefined: no TLS.
    tlsFiles: restTlsFiles(settings),
    // undefined: only keys are used.
    signInConfig: toSignInConfig(settings),
  }
}
