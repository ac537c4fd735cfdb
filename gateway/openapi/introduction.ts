import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { KINDS } from '../../shared/kinds/registry.ts'

/** What applies to the whole API, in Markdown. */
export const introduction = `Contracts record services rendered to clients: the fee, the tax, the total. Businesses are clients that are legal
entities; each is also a Client record. Every change is stored as an event.

**Keys.** Every request carries \`Authorization: Bearer mint_<API_KEY>\`, except for the operations below that need no
key. A key has scopes; none includes another, but \`keys:admin\` is all-powerful: it can create a key with any scopes. A
second \`Authorization\` header is answered with 400. Answers under a valid key carry \`Cache-Control: private, no-store\`.

**Records.** Every field is always present. JSON in and out, in UTF-8. Unknown fields and parameters are rejected, as
are repeated parameters and fields that the service sets itself. \`HEAD\` answers like \`GET\`, without the body.
A page of a list that isn't the last has \`Link: <…>; rel="next"\`.

**Versions.** \`ETag\` is the record's version. With \`If-None-Match\`, GET answers 304 while that version is current.
With \`If-Match\` (one tag, a list, or \`*\`), PATCH and PUT change only that version: at another one, the answer is 412
and nothing changes. Without it, concurrent edits of different fields all survive.

**Retries.** With an \`Idempotency-Key\`, POST, PATCH and PUT are safe to repeat: the same request gets the first answer,
with \`Idempotency-Replayed: true\`, even if it was accepted and changed nothing. Only refused requests are not
remembered. A different request with that key is 409 \`idempotency_key_reused\`, where the IETF's draft
(draft-ietf-httpapi-idempotency-key-header-07) has 422; two requests at the same moment get the same answer, where it has
409. Requests that change API keys or webhooks, replay dead letters, sign in or out, or go to \`/mcp\` are refused with
400 if they have an \`Idempotency-Key\` or an \`If-Match\`.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`, and name everything that is wrong at
once, up to 100 violations. A path not listed here answers 404 \`route_not_found\`, a method not listed for its path 405
\`method_not_allowed\` with \`Allow\`.

**Limits.** Each key may send as many requests per second as \`RateLimit-Policy\` says; refused ones count too. Requests
without a valid key, and those for paths that need none, are counted by address; \`/healthz\`, \`/readyz\` and the files
of the console aren't counted.

**Order of checks.** Rate 429, percent-encoding 400, path 404, method 405, key 401, scope 403, media type 415, size 413,
JSON and fields 400, record 404, then 409, a remembered answer, and 412.`

/** The description of the security scheme. */
export const aboutKeys = `An API key, sent as \`Authorization: Bearer mint_<API_KEY>\`. To authorize this page, enter only the key, starting with \`mint_\`. Scopes, none of which includes another: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. Each operation names the one it needs, or several of which one suffices; if it names none, it takes any key.`

/** The groups of operations, by the first part of their paths. */
export const TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(KINDS).map(({ many, about }) => [many, about])),
  clients: 'Client records, built from the events of businesses.',
  firm: 'Whose books these are.',
  closing: 'The day through which the books are closed.',
  mcp: 'For agents.',
  proposals: 'Contracts to create or edit, which somebody else decides on.',
  reports: 'Contracts added up, as of any moment.',
  events: 'Every change so far, and each new one.',
  'sign-in': 'People sign in with their organisation’s identity provider, and get a key of their own.',
  'api-keys': 'Who may call the API, and for what.',
  webhooks: 'Where Mint posts what changes.',
  operations: 'The status of Mint and dead letters, for operators.',
  service: 'About the service itself; no key needed.',
}
