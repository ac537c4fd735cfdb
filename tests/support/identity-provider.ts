import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import Provider, { type ProviderContext } from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'

export const CLIENT = { id: 'mint', secret: 'a secret that the provider gave to Mint' }

/** How Mint proves to the provider that it is the client; `none`: it is a public one. */
export type ClientMethod = 'client_secret_basic' | 'client_secret_post' | 'none'

/** How a test changes the provider's answers. */
interface Trouble {
  /** Changes the claims of each ID token before it is re-signed. */
  claims?: (claims: JWTPayload) => JWTPayload
  /** How ID tokens are signed: not at all, with a key that the provider doesn't publish, or the client's secret. */
  signature?: 'none' | 'stranger' | 'secret'
  /** Answers a path instead of the provider; it may also never answer. */
  answers?: (context: ProviderContext) => unknown
}

export type IdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/**
 * A real OpenID Connect provider on a free port, until it is stopped. Signing in takes only an account's name;
 * `accounts` has the claims of each account. `redirectUrls`: where it may send browsers back to. It supports one method.
 */
export async function startIdentityProvider(
  redirectUrls: readonly string[],
  method: ClientMethod = 'client_secret_basic',
) {
  const accounts = new Map<string, Readonly<Record<string, unknown>>>()
  const trouble: Trouble = {}
  const server = createServer((req, res) => void handle(req, res))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  const issuer = `http://127.0.0.1:${port}`
  firstKey ??= newKey()
  let signing = await firstKey
  const provider = new Provider(issuer, {
    // By default the provider warns that everything is in memory.
    adapter: class extends MemoryAdapter {},
    renderError: (context: ProviderContext, out: object) => Object.assign(context, { body: out }),
    clients: [
      {
        client_id: CLIENT.id,
        ...(method !== 'none' && { client_secret: CLIENT.secret }),
        token_endpoint_auth_method: method,
        redirect_uris: redirectUrls,
      },
    ],
    clientAuthMethods: [method],
    jwks: { keys: [{ ...(await exportJWK(signing.privateKey)), kid: signing.kid, alg: 'RS256', use: 'sig' }] },
    cookies: { keys: ['for tests alone'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, name: id, ...accounts.get(id) }),
    }),
    async loadExistingGrant({ oidc }: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const grant = new provider.Grant({ accountId: oidc.session.accountId, clientId: oidc.client.clientId })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    ttl: { AuthorizationCode: 60, Interaction: 600, Session: 600, AccessToken: 600, IdToken: 600, Grant: 600 },
  })
  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    if (!req.url?.startsWith('/interaction/')) return handleByProvider(req, res)
    if (req.method === 'GET') return void res.setHeader('Content-Type', 'text/html').end(LOGIN_PAGE)
    const form = new URLSearchParams(await text(req))
    await provider.interactionFinished(req, res, { login: { accountId: form.get('account') } })
  }

  provider.silent = true
  provider.use(async (context, next) => {
    if (trouble.answers !== undefined && (await trouble.answers(context)) !== undefined) return
    await next()
    // More than Mint accepts, as some providers send.
    const offered = { id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'] }
    if (context.path.startsWith('/.well-known/')) context.body = { ...context.body, ...offered }
    if (context.path === '/jwks') context.body = { keys: [await publicKeyOf(signing)] }
    if (context.path !== '/token' || context.body?.id_token === undefined) return
    const given: JWTPayload = JSON.parse(Buffer.from(context.body.id_token.split('.')[1], 'base64url').toString())
    const claims = trouble.claims?.(given) ?? given
    context.body = { ...context.body, id_token: await signed(claims) }
  })

  const handleByProvider = provider.callback()

  async function signed(claims: JWTPayload): Promise<string> {
    if (trouble.signature === 'none') return new UnsecuredJWT(claims).encode()
    const token = new SignJWT(claims)
    const { kid } = signing
    if (trouble.signature === 'secret') {
      return await token.setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(CLIENT.secret))
    }
    const { privateKey } = trouble.signature === 'stranger' ? await newKey() : signing
    return await token.setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
  }

  async function stop(): Promise<void> {
    server.closeAllConnections()
    if (server.listening) await new Promise((closed) => server.close(closed))
  }
  return {
    issuer,
    accounts,
    trouble,
    stop,
    /** Rotates the signing key. */
    async rotateKeys(): Promise<void> {
      signing = await newKey()
    },
  }
}

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Your organisation</title><main><h1>Your organisation</h1>
<form method="post"><label>Account <input name="account" autofocus></label> <button>Continue</button></form></main></html>`

let keys = 0
/** The first signing key of every provider in this process, since making one takes long. */
let firstKey: Promise<Key> | undefined

async function newKey() {
  return { ...(await generateKeyPair('RS256', { extractable: true })), kid: `key-${++keys}` }
}

type Key = Awaited<ReturnType<typeof newKey>>

const publicKeyOf = async ({ publicKey, kid }: Key) => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: 'RS256',
  use: 'sig',
})

/** Acts as a browser: signs in at the provider as this account, and returns the URL that it is sent back to. */
export async function signInAtProvider(url: string, account: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let [at, body]: [URL, URLSearchParams | undefined] = [new URL(url), undefined]
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, {
      redirect: 'manual',
      headers: { cookie },
      ...(body !== undefined && { method: 'POST', body }),
    })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    body = location === null ? new URLSearchParams({ account }) : undefined
    if (location === null && answer.status !== 200) throw new Error(`the provider answered ${await answer.text()}`)
    if (location !== null) at = new URL(location, at)
    if (at.pathname === '/console') return at
  }
  throw new Error(`the provider never sent the browser back from ${url}`)
}
