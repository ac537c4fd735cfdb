import { encodeCursors } from '../../gateway/events/feed-cursor.ts'
import { ProblemError } from '../../gateway/problem.ts'
import { webhookRules } from '../../gateway/records/webhook-record.ts'
import type { Answer } from '../../gateway/routes/answer.ts'
import { apiKeyRoutes } from '../../gateway/routes/api-keys.ts'
import { closingRoutes } from '../../gateway/routes/closing.ts'
import type { Endpoint } from '../../gateway/routes/endpoint.ts'
import { firmRoutes } from '../../gateway/routes/firm.ts'
import { webhookRoutes } from '../../gateway/routes/webhooks.ts'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { cursorAt } from '../../shared/events/cursor.ts'
import { createWebhookAdministration } from '../../shared/webhooks/administration.ts'
import { checkedInput } from '../commands/checked-input.ts'
import { CommandFailure } from '../exit.ts'
import { contractsAppOn } from './contracts-app.ts'
import { administrationOf, idOfKey } from './keys.ts'
import { cliContext, type Parts } from './parts.ts'

/** A request of the REST API, checked and parsed by its schemas. */
export interface RestCall {
  /** Run in turn on the same path; only the last answer is used. */
  readonly operationIds: readonly string[]
  readonly path?: { readonly id: string }
  readonly body?: object
  /** For a list: the field with its records. */
  readonly many?: string
  /** Whether a record at version 0 counts as none. */
  readonly isWritten?: boolean
}

/**
 * Runs an operation of the REST API through its route, with every scope. Yields the record, with its version if it has
 * one, or each record of a list, over all of its pages; the path if the answer is empty.
 */
export async function* rest(parts: Parts, call: RestCall): AsyncGenerator<object> {
  const dependencies = dependenciesOf(parts)
  const { operationIds, path: given, body = {}, many, isWritten } = call
  // Commands check all else themselves, but they don't know the settings of a running Mint.
  const { changes } = webhookRules(parts.webhooksByHttp)
  if ('url' in body) await checkedInput(changes.pick({ url: true }), { url: body.url }, {})
  const isOfKey = operationIds.some((id) => id.endsWith('ApiKey'))
  const idOf = async (id: string) => (isOfKey ? await idOfKey(dependencies.apiKeys, id) : id.toLowerCase())
  const path = given && { id: await idOf(given.id) }
  const ask = async (operationId: string, page: object): Promise<Answer> => {
    const endpoint = ENDPOINTS.get(operationId)
    if (endpoint === undefined) throw new Error(`There is no operation ${operationId}.`)
    const query = { limit: PAGE_SIZE, offset: 0, ...page }
    const input = { path, query, body, context: cliContext(), caller: { scopes: SCOPES } }
    return (await orFailure(endpoint.answer(input as never, dependencies as never))) as Answer
  }
  const last = operationIds.at(-1) ?? ''
  for (const operationId of operationIds.slice(0, -1)) await ask(operationId, {})
  for (let next: Answer['next'] = {}; next !== undefined; ) {
    const answer = await ask(last, next)
    const record = answer.body === '' ? path : JSON.parse(answer.body.toString())
    const version = Number(answer.headers.ETag?.slice(1, -1))
    if (many !== undefined) yield* record[many]
    else if (Number.isNaN(version)) yield record
    else if (version > 0 || !isWritten) yield { ...record, version }
    next = answer.next
  }
}

/** How many records are read at a time. */
const PAGE_SIZE = 100

/** The endpoints that commands use, by operation. */
const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map(
  [...apiKeyRoutes, ...webhookRoutes(true), ...closingRoutes, ...firmRoutes]
    .flatMap(({ methods }) => Object.values(methods))
    .map((endpoint) => [endpoint.operationId, endpoint]),
)

/** What the endpoints depend on. */
function dependenciesOf(parts: Parts) {
  const { gateway: database, contracts, businesses, sealing } = parts
  const apiKeys = administrationOf(parts)
  const end = async ({ events }: Database): Promise<string> => cursorAt(await events.head(), events)
  const feedEnd = async (): Promise<string> =>
    encodeCursors({ contracts: await end(contracts), businesses: await end(businesses) })
  const webhooks = createWebhookAdministration({ database, clock: Date.now, sealing, feedEnd })
  return { ...contractsAppOn(parts), apiKeys, keyAdministration: () => apiKeys, webhooks: () => webhooks }
}

/** Turns a refusal into a failure of the command: it is not an error of Mint. */
async function orFailure<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (cause) {
    // A refusal that the REST API shows in its own words.
    if (cause instanceof ProblemError) throw new CommandFailure(cause.message, { cause })
    const violation = cause instanceof CodedError ? cause.violations[0] : undefined
    if (violation) throw new CommandFailure(violation.message, { cause })
    throw cause
  }
}
