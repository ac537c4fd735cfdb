import assert from 'node:assert/strict'
import express from 'express'
import fc from 'fast-check'
import { gatewaySettings, toGatewayConfig } from '../../../gateway/config.ts'
import { readRemoteGatewayConfig } from '../../../gateway/remote-config.ts'
import { readSettings } from '../../../shared/runtime/settings/read-settings.ts'
import { forAll } from '../../support/for-all.ts'

const readConfig = (environment: Record<string, string>) => toGatewayConfig(readSettings(gatewaySettings, environment))

describe("The gateway's configuration", () => {
  it('has a default for everything', () => {
    assert.deepEqual(readConfig({}), {
      host: '127.0.0.1',
      port: 8080,
      apiKey: undefined,
      rateLimitPerSecond: 300,
      publicRateLimitPerSecond: 50,
      trustedProxies: [],
      maxConnections: 1_024,
      drainMilliseconds: 0,
      metricsPort: 9464,
      metricsHosts: [],
      pageHosts: ['127.0.0.1'],
      securityContact: undefined,
      webhookKey: undefined,
      webhookNetworks: [],
      secretFiles: {},
      signInConfig: undefined,
      tlsFiles: undefined,
      grpcTlsFiles: undefined,
      tracing: undefined,
      logLevel: 'info',
    })
  })

  it('comes from the environment', () => {
    const environment = {
      HOST: '::1',
      CONSOLE_ALLOWED_HOSTS: 'Books.firm.example, books.example',
      SECURITY_CONTACT: 'mailto:it@firm.example',
      PORT: '0',
      MINT_API_KEY: 'mint_0123456789abcdef',
      RATE_LIMIT_PER_SECOND: '7',
      PUBLIC_RATE_LIMIT_PER_SECOND: '8',
      TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,2001:db8::1,',
      MAX_CONNECTIONS: '9',
      DRAIN_SECONDS: '10',
      TLS_CERT_FILE: 'rest.pem',
      TLS_KEY_FILE: 'rest.key',
      GRPC_TLS_CERT_FILE: 'grpc.pem',
      GRPC_TLS_KEY_FILE: 'grpc.key',
      GRPC_TLS_CA_FILE: 'ca.pem',
      LOG_LEVEL: 'debug',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '.01',
      WEBHOOK_KEY: '0123456789abcdef0123456789abcdef',
      WEBHOOK_ALLOWED_NETWORKS: '10.1.2.0/24, ::1',
    }
    assert.deepEqual(readConfig(environment), {
      webhookKey: '0123456789abcdef0123456789abcdef',
      webhookNetworks: ['10.1.2.0/24', '::1'],
      host: '::1',
      port: 0,
      apiKey: 'mint_0123456789abcdef',
      rateLimitPerSecond: 7,
      publicRateLimitPerSecond: 8,
      trustedProxies: ['loopback', '10.0.0.0/8', '2001:db8::1'],
      maxConnections: 9,
      drainMilliseconds: 10_000,
      metricsPort: 9464,
      metricsHosts: [],
      pageHosts: ['::1', 'books.firm.example', 'books.example'],
      securityContact: 'mailto:it@firm.example',
      secretFiles: {},
      signInConfig: undefined,
      tlsFiles: {
        use: 'rest',
        names: { cert: 'TLS_CERT_FILE', key: 'TLS_KEY_FILE', ca: 'TLS_CA_FILE' },
        paths: { TLS_CERT_FILE: 'rest.pem', TLS_KEY_FILE: 'rest.key' },
      },
      grpcTlsFiles: {
        use: 'grpc',
        names: { cert: 'GRPC_TLS_CERT_FILE', key: 'GRPC_TLS_KEY_FILE', ca: 'GRPC_TLS_CA_FILE' },
        paths: { GRPC_TLS_CERT_FILE: 'grpc.pem', GRPC_TLS_KEY_FILE: 'grpc.key', GRPC_TLS_CA_FILE: 'ca.pem' },
      },
      tracing: { url: 'http://collector:4318/v1/traces', followsCallers: true, ratio: 0.01 },
      logLevel: 'debug',
    })
  })

  it('reports each wrong value in one line, with its name and what is allowed, but never shows a key', () => {
    const environment = { PORT: '70000', MINT_API_KEY: 'mint_short', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'loud' }
    assert.throws(() => readConfig(environment), {
      lines: [
        "PORT=70000 can't be used; allowed: a port from 0 to 65535",
        "MINT_API_KEY=(not shown) can't be used; allowed: mint_ followed by 16 to 128 visible ASCII characters",
        "RATE_LIMIT_PER_SECOND=0 can't be used; allowed: a whole number from 1 to 1000000",
        "LOG_LEVEL=loud can't be used; allowed: fatal, error, warn, info, debug, trace, silent",
      ],
    })
  })

  for (const networks of [
    'everywhere',
    '10.0.0.0/33',
    '10.0.0/8',
    '::1/129',
    '1.2.3.4/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
  ]) {
    it(`rejects ${networks} as a network for webhooks`, () => {
      assert.throws(
        () => readConfig({ WEBHOOK_ALLOWED_NETWORKS: networks }),
        /^SettingsError: WEBHOOK_ALLOWED_NETWORKS=/,
      )
    })
  }

  for (const proxies of [
    'everyone',
    '10.0.0.0/33',
    '10.0.0/8',
    '::1/129',
    '1.2.3.4/8/8',
    'loopback;10.0.0.1',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/00',
    'fe80::1%eth-0',
  ]) {
    it(`rejects ${proxies} as a trusted proxy`, () => {
      assert.throws(() => readConfig({ TRUSTED_PROXIES: proxies }), /^SettingsError: TRUSTED_PROXIES=.*; allowed: addr/)
    })
  }

  it('accepts no trusted proxy that Express rejects', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV4Extended(), fc.ipV6(), fc.constant('::ffff:10.0.0.1'))
    const proxy = fc.oneof(
      address,
      fc.tuple(address, fc.oneof(fc.nat(130), fc.ipV4())).map((pair) => pair.join('/')),
    )
    forAll([proxy], { numRuns: 2_000 }, (TRUSTED_PROXIES) => {
      let proxies: string[]
      try {
        proxies = readConfig({ TRUSTED_PROXIES }).trustedProxies
      } catch {
        return
      }
      express().set('trust proxy', proxies)
    })
  })

  it('of a separate gateway lets it keep serving for a while after a stop signal', () => {
    const { drainMilliseconds } = readRemoteGatewayConfig({
      MONGO_URL: 'mongodb://mongo',
      SERVICE_SECRET: 's'.repeat(16),
    })
    assert.equal(drainMilliseconds, 5_000)
  })

  it('of a separate gateway reports what is missing along with what is wrong', () => {
    assert.throws(() => readRemoteGatewayConfig({ PORT: 'x', CONTRACTS_ADDRESS: 'contracts' }), {
      lines: [
        "PORT=x can't be used; allowed: a port from 0 to 65535",
        'MONGO_URL is not set; needed: the connection string of a MongoDB replica set: mongodb://…; percent-encode @ and / in the password',
        "CONTRACTS_ADDRESS=contracts can't be used; allowed: host:port, dns:///host:port, or several as ipv4:10.0.0.1:50051,10.0.0.2:50051",
      ],
    })
  })

  it('of a separate gateway has only addresses of services that gRPC can connect to', () => {
    const isUsable = (CONTRACTS_ADDRESS: string): boolean => {
      try {
        readRemoteGatewayConfig({ MONGO_URL: 'mongodb://mongo', SERVICE_SECRET: 's'.repeat(16), CONTRACTS_ADDRESS })
        return true
      } catch {
        return false
      }
    }
    const usable = [
      'contracts:50051',
      'dns:contracts:50051',
      'dns:///contracts:50051',
      'dns://10.0.0.53/contracts.firm.example:1',
      '[::1]:65535',
      '[fe80::1%eth0]:50051',
      'ipv4:10.0.0.1:50051,10.0.0.2:50051',
      'ipv6:[::1]:50051,[::2]:50051',
    ]
    const unusable = [
      'http://contracts:50051',
      'dns://contracts:50051',
      'contracts:65536',
      'contracts:0',
      '::1:50051',
      'a:50051,b:50051',
    ]
    assert.deepEqual([...usable, ...unusable].filter(isUsable), usable)
  })
})
