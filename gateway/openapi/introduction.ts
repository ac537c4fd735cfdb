import { SCOPES } from '../../shared/api-keys/scopes.ts'

/** What holds for the whole API, in Markdown. */
export const introduction = `Contracts record services rendered to clients: the fee, the tax, the total. Businesses are clients that are legal
entities; each is also a Client record. Every change is kept as an event.

**Keys.** Every request carries \`Authorization: Bearer mint_<API_KEY>\`, except where no key is asked for below. A key
has scopes; none includes another, but \`keys:admin\` is all-powerful: it can make a key with any scopes. A second
\`Authorization\` header is 400. What is answered under a valid key carries \`Cache-Control: private, no-store\`.

**Records.** Every field is always present. JSON in and out, in UTF-8. Unknown fields and parameters are refused, and so
are parameters given twice and fields that the service sets by itself. \`HEAD\` answers as \`GET\`, without the body.

**Versions.** \`ETag\` is the record's version. \`If-None-Match\` on GET answers 304 while it is current. \`If-Match\` on
PATCH (one tag, a list, or \`*\`) lets the edit happen at that version only: at another one the answer is 412 and nothing
changes. Without it, edits of different fields at the same time all survive.

**Sending again.** With an \`Idempotency-Key\`, POST and PATCH can be repeated without fear: the same request gets the
first answer, with \`Idempotency-Replayed: true\`, also when it was accepted and changed nothing. Only what was refused
is not remembered.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`, and name everything that is wrong at once, up
to 100 violations. A path that is not listed here answers 404 \`route_not_found\`, a method that is not listed for its
path 405 \`method_not_allowed\` with \`Allow\`.

**Limits.** Each key may send so many requests a second as \`RateLimit-Policy\` says; refused ones count too. Requests
without a valid key, and those for paths that need none (but \`/healthz\` and \`/readyz\`), are counted by address. What is
too much is answered 429, before any other problem.

**Order of checks.** Percent-encoding 400, path 404, method 405, key 401, rate 429, scope 403, media type 415, size 413,
JSON and fields 400, record 404, then 409, a remembered answer, and 412.`

/** What stands with the scheme of the keys. */
export const aboutKeys = `An API key, sent as \`Authorization: Bearer mint_<API_KEY>\`. To authorize this page, give the key alone, from \`mint_\` on. Scopes, none of which includes another: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}. The one that an operation needs stands with it.`

/** The groups of operations, by the first part of their paths. */
export const TAGS: Readonly<Record<string, string>> = {
  contracts: 'Services rendered to clients.',
  businesses: 'Clients that are legal entities.',
  clients: 'The Client records, made from the events of businesses.',
  'api-keys': 'Who may call the API, and for what.',
  service: 'About the service itself; no key needed.',
}
