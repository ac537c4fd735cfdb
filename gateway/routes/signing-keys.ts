import { z } from 'zod'
import { sharingRuns } from '../../shared/async/shared-runs.ts'
import { newRequestId } from '../../shared/calls/ids.ts'
import { jwkOf } from '../../shared/events/signature.ts'
import type { RouteDependencies } from './dependencies.ts'
import type { PublicRoute } from './public.ts'

const jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().meta({ description: 'The part before the colon in the header `mint-signature`.' }),
  x: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

const jwkSet = z.object({ keys: z.array(jwk) }).meta({ id: 'JwkSet' })

/** How long an answer is cached: anyone may ask, and each call goes to both services. */
const FRESH_MILLISECONDS = 5_000

/** `/.well-known/mint-keys.json`: the keys that messages of both services are signed with. */
export function signingKeysRoute({
  businessesRelay,
  contractsRelay,
}: Pick<RouteDependencies, 'businessesRelay' | 'contractsRelay'>): PublicRoute {
  const reading = sharingRuns(async () => {
    const context = { actor: 'mint/gateway', requestId: newRequestId() }
    const answers = [businessesRelay, contractsRelay].map((relay) => relay.getSigningKeys({}, context))
    const keys = (await Promise.all(answers)).flatMap((answer) => answer.keys.map(jwkOf))
    return JSON.stringify({ keys })
  }, FRESH_MILLISECONDS)
  return {
    path: '/.well-known/mint-keys.json',
    documented: {
      operationId: 'getSigningKeys',
      summary: 'Get the keys that verify messages of topics',
      description: 'A JWK set. Revoked keys are not in it: what they signed is no longer valid.',
      answers: { 200: { description: 'The keys of both services.', schema: jwkSet } },
    },
    asksServices: true,
    answer: async () => ({ status: 200, body: await reading.join(), headers: {} }),
  }
}
