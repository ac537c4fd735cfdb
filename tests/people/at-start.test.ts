import assert from 'node:assert/strict'
import { atEnd } from '../support/cleanup.ts'
import { freePort } from '../support/free-port.ts'
import { CLIENT, signInAtProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { runMint, startedMint } from '../support/mint-process.ts'
import { restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('A Mint with an identity provider', () => {
  it('does not start with invalid OIDC_SCOPES, and explains why in one line', async () => {
    const environment = {
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_SCOPES: 'groups:owners=all,groups:bookkeepers=contracts:reed',
    }
    const { exitCode, errors } = await runMint({ dataFolder: newFolder(), environment }).ended
    assert.equal(exitCode, 1)
    const [line, ...more] = errors.trim().split('\n')
    assert.match(
      line ?? '',
      /^Mint can't start: OIDC_SCOPES: "contracts:reed" in groups:bookkeepers=\S+ is not a scope; use all/,
    )
    assert.deepEqual(more, [])
  })

  it('starts while the provider is unavailable, serves API keys, and lets people sign in once it is back', async () => {
    const port = await freePort()
    const redirectUrl = `http://127.0.0.1:${port}/console`
    const provider = atEnd.stop(await startIdentityProvider([redirectUrl]))
    const environment = {
      PORT: String(port),
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_SCOPES: 'sub:ann=contracts:read',
    }
    provider.trouble.answers = () => new Promise(() => undefined)
    const mint = await startedMint({ dataFolder: newFolder(), environment })
    const call = restClient(mint)
    assert.equal((await call('GET', '/contracts')).status, 200)
    assert.equal((await call('GET', '/readyz')).status, 200)
    delete provider.trouble.answers
    const { url, state } = (await call('GET', '/sign-in')).body
    const { searchParams } = await signInAtProvider(url, 'ann')
    const [code, returnedState, iss] = ['code', 'state', 'iss'].map((name) => searchParams.get(name) ?? '')
    const { body } = await call('POST', '/sign-in', { code, state, returnedState, iss })
    assert.deepEqual([body.name, body.scopes], ['ann', ['contracts:read']])
    assert.equal((await restClient({ url: mint.url, key: body.key })('GET', '/contracts')).status, 200)
  })
})
