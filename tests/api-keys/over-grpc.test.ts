import assert from 'node:assert/strict'
import { type ClientSessionOptions, connect } from 'node:http2'
import { SCOPES, type Scope } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { countPerSecond } from '../../shared/calls/count-per-second.ts'
import { commitIdOfKey } from '../../shared/calls/ids.ts'
import { ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { readOnly } from '../../shared/kinds/services.ts'
import { METHOD_NEEDS } from '../../shared/rpc/access/needs.ts'
import { accessServer, short } from '../support/access-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { TEST_KEY, TEST_KEY_ID, withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { askHealth, listServices } from '../support/plain-grpc.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

/** Lets Node send headers that it would otherwise reject. */
const LAX = { strictSingleValueFields: false } as ClientSessionOptions

const READ = '/mint.contracts.v1.ContractsService/GetContract'
const WRITE = '/mint.contracts.v1.ContractsService/CreateContract'

/** A key whose secret describes what it may do. */
const keyWith = (name: string, scopes: readonly Scope[]) => {
  const secret = `mint_${name}-for-the-suite`
  return { secret, key: { ...configuredKey(secret), scopes } }
}
const ONLY = SCOPES.map((scope) => keyWith(`only-${scope}`, [scope]))
const allBut = (scopes: readonly Scope[]) =>
  keyWith(
    `all-but-${scopes.join('-and-')}`,
    SCOPES.filter((one) => !scopes.includes(one)),
  )
const ALL_BUT = Object.values(METHOD_NEEDS).flatMap((need) => (need === 'any-key' ? [] : [allBut([need].flat())]))
const OTHER = keyWith('another-one', SCOPES)
const NO_SCOPES = keyWith('no-scope-at-all', [])
const KEYS = [...ONLY, ...ALL_BUT, OTHER, NO_SCOPES].map(({ key }) => key)

describe('API key authentication over gRPC', () => {
  const given = () => accessServer({ apiKeys: staticApiKeys([configuredKey(TEST_KEY), ...KEYS]) })
  for (const [what, metadata, reason] of [
    ['no key', {}, 'missing_api_key'],
    ['no bearer token', { authorization: 'Basic bWludA==' }, 'missing_api_key'],
    ['an unknown key', withKey('mint_nobody-has-this-one'), 'invalid_api_key'],
    ['an unknown key and a named actor', { ...withKey('mint_nobody-has-it'), 'mint-actor': 'x' }, 'invalid_api_key'],
  ] as const) {
    it(`answers UNAUTHENTICATED to each method for a caller with ${what}`, async () => {
      const { address, seen } = await given()
      const outcomes = await Promise.all(Object.keys(METHOD_NEEDS).map((path) => grpcCall(address, path, metadata)))
      assert.deepEqual(outcomes.map(short), Array(outcomes.length).fill(['UNAUTHENTICATED', reason]))
      assert.deepEqual(seen, [])
    })
  }

  it('requires for each method the scope that it needs, and no other', async () => {
    const { address, seen } = await given()
    for (const [path, need] of Object.entries(METHOD_NEEDS)) {
      if (need === 'any-key') continue
      const enough = [need].flat()
      const call = ({ secret }: { secret: string }) => grpcCall(address, path, withKey(secret))
      const outcomes = await Promise.all(ONLY.map(call))
      const expected = SCOPES.map((one) =>
        enough.includes(one) ? ['OK', undefined] : ['PERMISSION_DENIED', 'insufficient_scope'],
      )
      assert.deepEqual(outcomes.map(short), expected, path)
      const refused = await call(allBut(enough))
      const details = `This API key lacks the scope ${enough.join(' or ')}. Use a key that has it.`
      assert.deepEqual(refused, { code: 'PERMISSION_DENIED', reason: 'insufficient_scope', details }, path)
      assert.equal(seen.splice(0).length, enough.length, path)
    }
  })

  it('lets each key read the firm, and counts the call once', async () => {
    const counted: string[] = []
    const count = countPerSecond(1_000_000)
    const countKey = (id: string) => {
      counted.push(id)
      return count(id)
    }
    const { address } = await accessServer({ apiKeys: staticApiKeys([NO_SCOPES.key]), countKey })
    const get = '/mint.contracts.v1.FirmService/GetFirm'
    assert.equal((await grpcCall(address, get, withKey(NO_SCOPES.secret))).code, 'OK')
    assert.deepEqual(counted, [NO_SCOPES.key.id])
  })

  it('accepts the scheme in any case', async () => {
    const { address } = await given()
    for (const scheme of ['bearer', 'BEARER']) {
      assert.equal((await grpcCall(address, READ, { authorization: `${scheme} ${TEST_KEY}` })).code, 'OK')
    }
  })

  it('refuses a request with two keys, even if both are valid', async () => {
    const { address } = await given()
    const session = atEnd.destroy(connect(`http://${address}`, LAX))
    const keys = [TEST_KEY, OTHER.secret].flatMap((key) => ['authorization', `Bearer ${key}`])
    const headers = [':method', 'POST', ':path', READ, ':scheme', 'http', ':authority', address, 'te', 'trailers']
    const stream = session.request([...headers, 'content-type', 'application/grpc', ...keys])
    const answer = await new Promise<Record<string, unknown>>((resolve) => {
      stream.on('response', resolve)
      stream.end(Buffer.alloc(5))
    })
    assert.deepEqual(
      [answer['grpc-status'], answer['grpc-message']],
      ['16', encodeURI('Send one authorization, not several.')],
    )
  })

  it('lets a key act only as itself, never as another caller', async () => {
    const { address, seen } = await given()
    assert.equal((await grpcCall(address, WRITE, withKey())).code, 'OK')
    assert.equal(seen[0]?.actor, TEST_KEY_ID)
    const other = await grpcCall(address, WRITE, { ...withKey(), 'mint-actor': OTHER.key.id })
    assert.deepEqual(short(other), ['PERMISSION_DENIED', 'insufficient_scope'])
    assert.match(other.details ?? '', /The actor is the principal of your API key/)
    assert.equal(seen.length, 1)
  })

  it('accepts a reason to write in a closed period from keys with that scope, in percent-encoded UTF-8', async () => {
    const { address, seen } = await given()
    const because = (reason: string) => ({ 'closing-override': reason })
    const [mayWrite] = ONLY.filter((_, index) => SCOPES[index] === 'contracts:write')
    const refused = await grpcCall(address, WRITE, { ...withKey(mayWrite?.secret), ...because('late') })
    assert.deepEqual(short(refused), ['PERMISSION_DENIED', 'insufficient_scope'])
    assert.match(refused.details ?? '', /lacks the scope closing:override/)
    for (const wrong of ['', '%20', '%', '%ff', '%00', 'x'.repeat(501)]) {
      const answer = await grpcCall(address, WRITE, { ...withKey(), ...because(wrong) })
      assert.deepEqual(short(answer), ['INVALID_ARGUMENT', 'validation_failed'], wrong)
    }
    assert.equal((await grpcCall(address, WRITE, { ...withKey(), ...because('sp%C3%A4t') })).code, 'OK')
    assert.equal((await grpcCall(address, WRITE, { ...withKey(), 'mint-overrides-closing': 'true' })).code, 'OK')
    const elsewhere = await grpcCall(address, READ, { ...withKey(), ...because('%') })
    assert.equal(elsewhere.code, 'OK', 'it does nothing where nothing is written into a closed period')
    assert.deepEqual(
      seen.map((context) => context?.overrideReason),
      ['spät', undefined, undefined],
    )
  })

  it('separates the commit ids of different keys, and detects a different request under the same id', async () => {
    const { address, seen } = await given()
    const named = (key: string, commitId: string, request: Uint8Array = Buffer.alloc(0)) =>
      grpcCall(address, WRITE, { ...withKey(key), 'mint-commit-id': commitId }, request)
    const victims = commitIdOfKey(TEST_KEY_ID, 'order-1')
    const another = Buffer.from([0x12, 1, 0x78])
    for (const [key, commitId, request] of [
      [TEST_KEY, 'order-1'],
      [TEST_KEY, 'order-1'],
      [TEST_KEY, 'order-1', another],
      [OTHER.secret, 'order-1'],
      [OTHER.secret, victims],
    ] as const) {
      assert.equal((await named(key, commitId, request)).code, 'OK')
    }
    const [first, again, changed, others, guessed] = seen.map((context) => context?.commitId)
    assert.deepEqual([first, again, changed], [victims, victims, victims])
    assert.equal(new Set([victims, others, guessed]).size, 3)
    const [hash, sameHash, otherHash] = seen.map((context) => context?.requestHash)
    assert.match(hash ?? '', /^[0-9a-f]{64}$/)
    assert.equal(sameHash, hash)
    assert.notEqual(otherHash, hash)
    const own = { ...withKey(), 'mint-commit-id': 'order-2', 'mint-request-hash': 'h-1' }
    assert.equal((await grpcCall(address, WRITE, own)).code, 'OK')
    assert.equal(seen.at(-1)?.requestHash, 'h-1')
  })

  it('does not compile for a service that requires only a read scope for a write', () => {
    // @ts-expect-error: the service has createContract.
    assert.ok(readOnly(ContractsServiceService, 'contracts:read'))
  })

  it('is required for reflection, with any scopes or none, but not for health checks', async () => {
    const { address } = await given()
    assert.equal(await askHealth(address, ''), 'SERVING')
    assert.equal((await listServices(address, NO_SCOPES.secret)).length, 11)
    await assert.rejects(listServices(address, 'mint_nobody-has-this-one'), { code: 16 })
  })

  it('refuses a caller without a key before reading its message', async () => {
    const { address } = await given()
    const large = Buffer.alloc(8 * 1024 * 1024)
    assert.deepEqual(short(await grpcCall(address, WRITE, {}, large)), ['UNAUTHENTICATED', 'missing_api_key'])
    assert.equal((await grpcCall(address, WRITE, withKey(), large)).code, 'RESOURCE_EXHAUSTED')
  })
})
