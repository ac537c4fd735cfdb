import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { formatTimestamp } from '../../shared/fields/timestamp.ts'
import { PRIVATE } from '../openapi/headers.ts'
import { ProblemError } from '../problem.ts'
import { newSignIn, signedInShape, signInShape } from '../records/sign-in-record.ts'
import { listed } from './answer.ts'
import { endpoint, JSON_BODY, type Route } from './endpoint.ts'

/** An identity provider may take longer than Mint's own services. */
const TIMEOUT_MILLISECONDS = 15_000

const begin = endpoint({
  operationId: 'beginSignIn',
  summary: 'Find out whether and where people can sign in',
  description: 'No key needed. Each answer is for one sign-in.',
  answers: { 200: { description: 'Where to sign in.', headers: PRIVATE, schema: signInShape } },
  scope: undefined,
  isOpen: true,
  timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  answer: async ({ origin }, { signIn }) => {
    if (signIn === undefined) return listed(JSON.stringify({ available: false, url: null, state: null }))
    const { url, state } = await signIn.begin(origin)
    return listed(JSON.stringify({ available: true, url, state }))
  },
})

const complete = endpoint({
  operationId: 'completeSignIn',
  summary: 'Exchange what the identity provider answered for a key',
  description:
    'No key needed. The key is the person’s own and expires; what is written with it is theirs, under the same `by` at every sign-in. A person to whom `OIDC_SCOPES` gives no scope is refused with 403.',
  answers: { 201: { description: 'The key, shown only once.', headers: PRIVATE, schema: signedInShape } },
  scope: undefined,
  isOpen: true,
  timeoutMilliseconds: TIMEOUT_MILLISECONDS,
  body: { schema: newSignIn, computed: [], mediaTypes: JSON_BODY },
  refusesWriteHeaders: true,
  answer: async (
    { body: { state, ...answer }, origin, context: { requestId } },
    { signIn, keyAdministration, clock },
  ) => {
    if (signIn === undefined) throw new ProblemError('not_found', { detail: NOT_HERE })
    const { principal: person, name, scopes } = await signIn.complete(answer, state, origin)
    const expiresAt = clock() + signIn.keyMilliseconds
    const context = toCommandContext({ actor: person, requestId })
    const { secret: key } = await keyAdministration().create({ name, scopes, expiresAt, person }, context)
    const body = { key, expiresAt: formatTimestamp(expiresAt), name, scopes }
    return { status: 201, body: JSON.stringify(body), headers: {} }
  },
})

const end = endpoint({
  operationId: 'endSignIn',
  summary: 'Sign out',
  description:
    'Ends the key that the request came with, on every gateway within 5 seconds, if a person got it by signing in.',
  answers: { 204: { description: 'The key is revoked.' } },
  scope: undefined,
  refusesWriteHeaders: true,
  answer: async ({ caller: { id, kind }, context }, { keyAdministration }) => {
    if (kind !== 'person') throw new ProblemError('not_found', { detail: NOT_SIGNED_IN })
    await keyAdministration().revoke(id, toCommandContext(context))
    return { status: 204, body: '', headers: {} }
  },
})

const NOT_HERE = 'People can’t sign in here: OIDC_ISSUER is not set. Use an API key.'
const NOT_SIGNED_IN =
  'This is the key of a program, not of a person who signed in. To end it, use DELETE /api-keys/{id}.'

/** People sign in with an identity provider, and out again. */
export const signInRoutes: readonly Route[] = [
  { path: '/sign-in', methods: { GET: begin, POST: complete, DELETE: end } },
]
