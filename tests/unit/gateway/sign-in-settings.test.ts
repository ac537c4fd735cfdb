import assert from 'node:assert/strict'
import { grantedScopes, parseGrants } from '../../../gateway/sign-in/granted-scopes.ts'
import { signInSettings, toSignInConfig } from '../../../gateway/sign-in/settings.ts'
import { SCOPES } from '../../../shared/api-keys/scopes.ts'
import { readSettings } from '../../../shared/runtime/settings/read-settings.ts'

const COMPLETE = {
  OIDC_ISSUER: 'https://login.example.com/realms/firm',
  OIDC_CLIENT_ID: 'mint',
  OIDC_SCOPES: 'groups:owners=all',
}

const read = (environment: Readonly<Record<string, string>>) =>
  toSignInConfig(readSettings(signInSettings, environment))
/** The lines that the process ends with. */
function refusedBy(environment: Readonly<Record<string, string>>): string {
  try {
    read(environment)
  } catch (error) {
    return (error as Error).message
  }
  return assert.fail('the settings were accepted')
}

describe('The settings for signing in', () => {
  it('are optional, and without them nobody signs in', () => {
    assert.equal(read({}), undefined)
    assert.equal(read({ SIGN_IN_HOURS: '8' }), undefined)
  })

  it('have defaults for all but provider, client and scopes', () => {
    const { grants, ...config } = read(COMPLETE) ?? assert.fail()
    assert.deepEqual(grants, [{ claim: 'groups', value: 'owners', scopes: SCOPES }])
    assert.deepEqual(config, {
      issuer: COMPLETE.OIDC_ISSUER,
      clientId: 'mint',
      clientSecret: undefined,
      secretFiles: {},
      nameClaim: 'name',
      requestScopes: 'openid profile email',
      redirectUrl: undefined,
      keyMilliseconds: 36_000_000,
    })
  })

  it('are required together: each missing one is named in a separate line', () => {
    const line = (name: string, others: string) => new RegExp(`^${name} is not set; needed with ${others}: .+$`)
    for (const name of Object.keys(COMPLETE)) {
      const { [name]: _, ...rest } = COMPLETE as Record<string, string>
      assert.match(refusedBy(rest), line(name, Object.keys(rest).join()))
    }
    const lines = refusedBy({ OIDC_CLIENT_ID: 'mint' }).split('\n')
    assert.deepEqual(
      lines.map((text) => text.split(' ')[0]),
      ['OIDC_ISSUER', 'OIDC_SCOPES'],
    )
  })

  it('name a provider by https, or by http on this host, where nobody else can listen in', () => {
    for (const issuer of [
      'http://127.0.0.1:4000',
      'http://localhost/realms/a',
      'http://[::1]:1',
      'https://a.example',
    ]) {
      assert.equal(read({ ...COMPLETE, OIDC_ISSUER: issuer })?.issuer, issuer)
    }
    const wrong = [
      'http://login.example.com',
      'http://127.0.0.1.example.com',
      'ftp://a',
      'login',
      'https://u@a',
      'https://a?b',
    ]
    for (const issuer of wrong) {
      assert.match(refusedBy({ ...COMPLETE, OIDC_ISSUER: issuer }), /^OIDC_ISSUER=\S+ can't be used; allowed: .*https/)
    }
  })

  it('never show the secret', () => {
    const refusal = refusedBy({ OIDC_CLIENT_SECRET: 'hidden', OIDC_ISSUER: 'ftp://a' })
    assert.doesNotMatch(refusal, /hidden/)
  })
})

describe('OIDC_SCOPES', () => {
  it('grants scopes by the values of claims', () => {
    assert.deepEqual(parseGrants('groups:bookkeepers=contracts:read+contracts:write, roles:Mint.Owner=all'), [
      { claim: 'groups', value: 'bookkeepers', scopes: ['contracts:read', 'contracts:write'] },
      { claim: 'roles', value: 'Mint.Owner', scopes: SCOPES },
    ])
  })

  it('takes values with any characters, some of them percent-encoded', () => {
    const setting =
      'groups:/firm/books=clients:read,https%3A//example.com/roles:cn=a%2Cou=b=clients:read,a:b:c=clients:read'
    assert.deepEqual(
      parseGrants(setting).map(({ claim, value }) => [claim, value]),
      [
        ['groups', '/firm/books'],
        ['https://example.com/roles', 'cn=a,ou=b'],
        ['a', 'b:c'],
      ],
    )
  })

  it('is refused in one line that says which entry is wrong, and why', () => {
    const refusals: Readonly<Record<string, RegExp>> = {
      'groups:a=contracts:reed':
        /^OIDC_SCOPES: "contracts:reed" in groups:a=contracts:reed is not a scope; use all, or con/,
      'groups:a=contracts:read+': /^OIDC_SCOPES: "" in groups:a=contracts:read\+ is not a scope/,
      'groups:a=': /^OIDC_SCOPES: "" in groups:a= is not a scope/,
      'groups:a=all+clients:read': /^OIDC_SCOPES: "all" in .* is not a scope; use all, or/,
      'groups=all': /^OIDC_SCOPES: "groups=all" is not of the form claim:value=scopes, as in groups:/,
      'groups:a': /^OIDC_SCOPES: "groups:a" is not of the form/,
      'groups:a=all,': /^OIDC_SCOPES: "" is not of the form/,
      'groups:100%=all': /^OIDC_SCOPES: 100% has a % that begins no percent-encoding/,
    }
    for (const [setting, line] of Object.entries(refusals)) {
      const refusal = refusedBy({ ...COMPLETE, OIDC_SCOPES: setting })
      assert.match(refusal, line)
      assert.doesNotMatch(refusal, /\n/)
    }
  })
})

describe('The scopes of a person', () => {
  const grants = parseGrants(
    'groups:readers=contracts:read,groups:writers=contracts:write+contracts:read,admin:true=keys:admin,email:a.b@x.com=clients:read',
  )

  it('are those of all their claim values, each once, in the usual order', () => {
    assert.deepEqual(grantedScopes({ groups: ['writers', 'others', 'readers'], admin: true }, grants), [
      'contracts:read',
      'contracts:write',
      'keys:admin',
    ])
    assert.deepEqual(grantedScopes({ groups: 'readers' }, grants), ['contracts:read'])
  })

  it('are none without such a claim, for a value in another case, or in part', () => {
    const others = [
      {},
      { groups: [] },
      { groups: null },
      { groups: ['Readers'] },
      { groups: 'reader' },
      { roles: ['readers'] },
    ]
    for (const claims of others) assert.deepEqual(grantedScopes(claims, grants), [])
    assert.deepEqual(grantedScopes({}, parseGrants('groups:undefined=all,groups:null=all')), [])
  })

  it('follow an e-mail address in any case, unless it is not verified', () => {
    for (const verified of [{}, { email_verified: true }, { email_verified: 'true' }]) {
      assert.deepEqual(grantedScopes({ email: 'A.b@X.com', ...verified }, grants), ['clients:read'])
    }
    for (const email_verified of [false, 'false']) {
      assert.deepEqual(grantedScopes({ email: 'a.b@x.com', email_verified }, grants), [])
    }
  })
})
