import assert from 'node:assert/strict'
import { createSignIn } from '../../gateway/sign-in/provider.ts'
import { signInSettings, toSignInConfig } from '../../gateway/sign-in/settings.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { openKeys } from '../../shared/api-keys/serving/open.ts'
import { readSettings } from '../../shared/runtime/settings/read-settings.ts'
import { atEnd } from './cleanup.ts'
import { collectingLogger } from './collecting-logger.ts'
import { openServicesOn } from './filled-folder.ts'
import { startGateway, TEST_KEY } from './gateway-fixture.ts'
import { CLIENT, type ClientMethod, signInAtProvider, startIdentityProvider } from './identity-provider.ts'
import { quietLogger } from './quiet-logger.ts'
import { type RestAnswer, restClient } from './rest.ts'
import { newFolder } from './temporary-folder.ts'

const CONSOLE = 'https://mint.example.com/console'

/** The gateway's timeouts for the provider in tests, in milliseconds. */
const TIMEOUTS = { discover: 2_000, exchange: 2_000 }

/** Who may do what, unless a test overrides it. */
const GRANTS = 'groups:bookkeepers=contracts:read+contracts:write,groups:owners=all,email:Ann@Example.com=clients:read'

/** A gateway for the running test, with its own provider for signing in; `clock` is the keys' clock. */
export async function startPeopleGateway(
  settings: Readonly<Record<string, string>> = {},
  clock = Date.now,
  rateLimitPerSecond = 1_000_000,
  method?: ClientMethod,
) {
  const provider = atEnd.stop(await startIdentityProvider([CONSOLE], method))
  const environment = {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_SCOPES: GRANTS,
    OIDC_REQUEST_SCOPES: 'openid profile email groups',
    OIDC_REDIRECT_URL: CONSOLE,
    ...settings,
  }
  const config = toSignInConfig(readSettings(signInSettings, environment))
  assert.ok(config)
  const logger = quietLogger()
  const log = collectingLogger()
  const { data, services } = atEnd.close(await openServicesOn(newFolder()))

  /** One of several gateways that share only their data. */
  async function anotherGateway() {
    const opening = Promise.resolve(data.gateway)
    const keys = atEnd.stop(openKeys({ opening, configured: () => configuredKey(TEST_KEY), clock, logger }))
    const gateway = await startGateway(services, {
      apiKeys: keys.apiKeys,
      keyAdministration: keys.administration,
      signIn: createSignIn(config ?? assert.fail(), () => config?.clientSecret, log.logger, TIMEOUTS),
      clock,
      rateLimitPerSecond,
      logger: log.logger,
    })
    atEnd(() => gateway.stop())
    const as = (key: string) => restClient({ url: `http://127.0.0.1:${gateway.port}`, key })
    return { ...gateway, as }
  }

  const first = await anotherGateway()
  /** A sign-in up to the browser's return. */
  async function authorize(account: string, { call } = first) {
    const { url, state } = (await call('GET', '/sign-in')).body
    const { searchParams } = await signInAtProvider(url, account)
    const [code, returnedState, iss] = ['code', 'state', 'iss'].map((name) => searchParams.get(name) ?? '')
    return { code, state, returnedState, iss }
  }
  return {
    ...first,
    provider,
    log,
    services,
    anotherGateway,
    authorize,
    /** A whole sign-in; returns the gateway's answer. */
    signIn: async (account: string): Promise<RestAnswer> => first.call('POST', '/sign-in', await authorize(account)),
    /** A successful sign-in; returns a caller with the person's key. */
    async signedIn(account: string) {
      const { status, body, text } = await first.call('POST', '/sign-in', await authorize(account))
      assert.equal(status, 201, text)
      return { ...body, call: first.as(body.key) }
    },
  }
}
