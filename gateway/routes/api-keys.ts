import type { IssuedKey } from '../../shared/api-keys/administration.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { toCommandContext } from '../../shared/event-sourcing/command-context.ts'
import { type DocumentedAnswers, documentListed } from '../openapi/documented.ts'
import type { AnswerHeader } from '../openapi/headers.ts'
import { ProblemError } from '../problem.ts'
import {
  apiKeyPage,
  apiKeyPath,
  apiKeyRecord,
  apiKeyShape,
  computedApiKeyFields,
  currentApiKeyRecord,
  currentApiKeyShape,
  issuedApiKeyShape,
  newApiKey,
  rotation,
} from '../records/api-key-record.ts'
import { pageQuery } from '../schemas/read-parameters.ts'
import { type Answer, listed } from './answer.ts'
import { endpoint, JSON_BODY, type Route } from './endpoint.ts'
import { nextPage } from './next-page.ts'

const list = endpoint({
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'Newest first, revoked and expired ones included. The key in `MINT_API_KEY` is not among them.',
  answers: documentListed(apiKeyPage),
  scope: 'keys:admin',
  query: pageQuery,
  answer: async ({ query }, { keyAdministration }) => {
    const { apiKeys, total } = await keyAdministration().list(query)
    const next = nextPage(query, { count: apiKeys.length, total })
    return listed(JSON.stringify({ apiKeys: apiKeys.map(apiKeyRecord), total }), next)
  },
})

const get = endpoint({
  operationId: 'getApiKey',
  summary: 'Get one API key',
  answers: { 200: { description: 'The key, without its secret.', schema: apiKeyShape } },
  scope: 'keys:admin',
  path: apiKeyPath,
  answer: async ({ path }, { keyAdministration }) =>
    listed(JSON.stringify(apiKeyRecord(await inOwnWords(keyAdministration().find(path.id))))),
})

const current = endpoint({
  operationId: 'getCurrentApiKey',
  summary: 'Get the API key that the request was sent with',
  description: 'Any key may read itself, for example to learn its scopes.',
  answers: { 200: { description: 'The key, without its secret.', schema: currentApiKeyShape } },
  scope: undefined,
  answer: async ({ caller }) => listed(JSON.stringify(currentApiKeyRecord(caller))),
})

const create = endpoint({
  operationId: 'createApiKey',
  summary: 'Create an API key',
  answers: documentIssued('The new key, with its secret', ['Location']),
  scope: 'keys:admin',
  body: { schema: newApiKey, computed: computedApiKeyFields, mediaTypes: JSON_BODY },
  refusesWriteHeaders: true,
  answer: async ({ body, context }, { keyAdministration }) => {
    const made = await keyAdministration().create(body, toCommandContext(context))
    return issued(made, { Location: `/api-keys/${made.apiKey.id}` })
  },
})

const rotate = endpoint({
  operationId: 'rotateApiKey',
  summary: 'Give an API key a new secret',
  description:
    'The key keeps its id, name, scopes and expiry. Earlier secrets stay valid for `graceSeconds`, but never longer than an earlier rotation allowed. A revoked or expired key is not found, nor is a person’s.',
  answers: documentIssued('The key, with its new secret'),
  scope: 'keys:admin',
  path: apiKeyPath,
  body: { schema: rotation, computed: computedApiKeyFields, mediaTypes: JSON_BODY, optional: true },
  refusesWriteHeaders: true,
  answer: async ({ path, body, context }, { keyAdministration }) =>
    issued(await inOwnWords(keyAdministration().rotate({ id: path.id, ...body }, toCommandContext(context)))),
})

const revoke = endpoint({
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description:
    'Permanently, with all its secrets, on every gateway within 5 seconds. It works even for the last key with `keys:admin`: whoever runs Mint can create another with `cli/mint keys create`.',
  answers: { 204: { description: 'The key is revoked, or was already.' } },
  scope: 'keys:admin',
  path: apiKeyPath,
  refusesWriteHeaders: true,
  answer: async ({ path, context }, { keyAdministration }) => {
    await inOwnWords(keyAdministration().revoke(path.id, toCommandContext(context)))
    return { status: 204, body: '', headers: {} }
  },
})

function documentIssued(what: string, headers: readonly AnswerHeader[] = []): DocumentedAnswers {
  return {
    201: {
      description: `${what} in \`key\`, which is shown only once.`,
      headers,
      schema: issuedApiKeyShape,
    },
  }
}

function issued({ apiKey, secret: key }: IssuedKey, headers: Answer['headers'] = {}): Answer {
  return { status: 201, body: JSON.stringify({ ...apiKeyRecord(apiKey), key }), headers }
}

/** Shows why there is no key that it can be done to: it was revoked, say, or belongs to a person. */
async function inOwnWords<Result>(change: Promise<Result>): Promise<Result> {
  try {
    return await change
  } catch (cause) {
    if (!(cause instanceof CodedError) || cause.code !== 'not_found') throw cause
    throw new ProblemError('not_found', { detail: cause.message, cause })
  }
}

/**
 * API keys: list, create, get, rotate, revoke. No ETag, because lastUsedAt changes without a new version; and no
 * Idempotency-Key, because a secret is never shown twice.
 */
export const apiKeyRoutes: readonly Route[] = [
  { path: '/api-keys', methods: { GET: list, POST: create } },
  { path: '/api-keys/current', methods: { GET: current } },
  { path: '/api-keys/:id', methods: { GET: get, DELETE: revoke } },
  { path: '/api-keys/:id/rotate', methods: { POST: rotate } },
]
