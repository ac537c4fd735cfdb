import { z } from 'zod'
import { closingReason } from '../../shared/fields/closing-fields.ts'
import { capitalised, typeMessage } from '../../shared/fields/rule.ts'
import { text } from '../../shared/fields/text.ts'
import { KINDS } from '../../shared/kinds/registry.ts'
import { takesClosingOverride } from '../http/closing-override.ts'
import { toJsonSchema } from '../openapi/component-schemas.ts'
import { ProblemError } from '../problem.ts'
import type { Endpoint, Method, Performed, Route } from '../routes/endpoint.ts'

/** What a tool is called with, by name. */
export type Arguments = Readonly<Record<string, unknown>>

const BY_CLIENT = 'Give `clientId` (of a business, not its `id`), or the client’s whole name as `clientName`.'
const PERIOD = 'A month, say March 2026, is serviceDateFrom 2026-03-01 with serviceDateTo 2026-03-31.'

/** What a model has to know about the operations that every kind of record has. */
const OF_KINDS = Object.entries(KINDS).flatMap(([one, { many, about }]) => {
  const [One, Many] = [capitalised(one), capitalised(many)]
  return [
    [`list${Many}`, `List ${many}, newest first. ${about}`],
    [`get${One}`, `Get one ${one} with its \`version\`, as it is now or was at a moment (\`asOf\`).`],
    [`list${One}History`, `Who changed what in a ${one}, and when: its events, oldest first.`],
    [`create${One}`, `Create a ${one}. ${about}`],
    [`edit${One}`, `Edit a ${one}: read it, then give its \`version\` as \`expectedVersion\`, and only what changes.`],
  ]
})

/**
 * What agents may do, by operation, and what a model has to know about each beyond its fields. Whatever isn’t here has no
 * tool: keys, webhooks, operations, closing the books, editing the firm and deciding on proposals never get one.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(OF_KINDS),
  listClients: 'Find clients by name: `search` matches words anywhere in it. Contracts refer to clients by clientId.',
  getClient: 'Get one client by its clientId.',
  listClientNames: 'Get the names of up to 100 clients, by their clientIds separated by commas.',
  reportContracts: `What was billed: contracts added up, now or as of a moment, by month, client or service type. ${BY_CLIENT} ${PERIOD} \`billed\` is the amount on the bills; amounts are exact decimals as text.`,
  listContractLines: `The contracts behind a sum of report_contracts, one line each, with the same filters. ${BY_CLIENT} ${PERIOD}`,
  listContractChanges: `What changed in a report since a moment: each contract before and after, when, and by whom. For changes after books were closed, \`since\` is the \`at\` of the closing, from list_closing_history. ${BY_CLIENT} ${PERIOD}`,
  getClosing: 'Through which day the books are closed now, since when, by whom and why.',
  listClosingHistory:
    'Every closing and reopening of the books, oldest first. A month was closed by the first event whose closedThrough is its last day or later.',
  getFirm: 'Whose books these are, with the currency of all amounts and the time zone.',
  listFirmHistory: 'Who changed what in the firm’s record, and when: its events, oldest first.',
  listProposals: 'List proposals, newest first, with what became of them.',
  getProposal: 'Get one proposal, with a preview of the contract and its months without and with the change.',
  createProposal:
    'Propose to create a contract, or to edit one, which a person then accepts or declines: nothing changes until then. For an edit, read the contract first and give its `version`. The answer previews what the change would do. Never propose only to calculate: a proposal can’t be withdrawn.',
  listEvents:
    'Follow all changes, in order: give the `next` of each answer as `after` of the next call. To get only future changes, begin with `now` as `after`.',
}

/** All tools by name, in the order of the routes. */
export function toolsOf(routes: readonly Route[]): ReadonlyMap<string, Tool> {
  const tools = routes.flatMap(({ path, methods }) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => operationId in DESCRIPTIONS)
      .map(([method, endpoint]) => toTool(method as Method, path, endpoint)),
  )
  return new Map(tools.map((tool) => [tool.definition.name, tool]))
}

/** Longest page of a tool: a model reads all of it. */
export const MAX_LIMIT = 100

const version = z.int({ error: typeMessage('a version') }).min(1)

/** The arguments that only tools have: a name in place of an id, and what REST has in headers. */
const OWN = {
  clientName: text({ min: 1, max: 200 })
    .optional()
    .meta({ description: 'The client’s whole name, in place of clientId.' }),
  expectedVersion: version.optional().meta({ description: 'The `version` you read. At any other, nothing changes.' }),
  closingOverride: closingReason.optional().meta({
    description: 'Why this is written although its date lies in closed books. Only if a person said so.',
  }),
  idempotencyKey: z.string({ error: typeMessage('a new text for each new change, for example a UUID') }).meta({
    description:
      'A new text for each new change, 1 to 255 visible ASCII characters, for example a UUID. Repeat a change whose outcome you don’t know with the same one: it is made once.',
  }),
}

/** What a path or a query can contain: a text, checked further by the endpoint's own rule. */
const PARAMETER = z.union([z.string(), z.number()], { error: typeMessage('a text or a number') }).optional()
const LIST = z.union([z.string(), z.array(z.string())], { error: typeMessage('a text or a list of texts') }).optional()
/** Several texts, separated by commas in a query. Any other parameter that is given as a list would match nothing. */
const LISTS = { groupBy: LIST, ids: LIST, clientIds: LIST, types: LIST }

/** An endpoint as a tool. */
export type Tool = ReturnType<typeof toTool>

function toTool(method: Method, pathTemplate: string, endpoint: Endpoint) {
  const { operationId, summary, path, query, body } = endpoint
  const { clientName, expectedVersion, closingOverride, idempotencyKey } = OWN
  const [isRead, isEdit] = [method === 'GET', method === 'PATCH']
  const own = {
    ...(query.shape.clientId && !query.shape.clientName && { clientName }),
    ...(isEdit && { expectedVersion }),
    ...(takesClosingOverride(endpoint) && { closingOverride }),
    ...(!isRead && { idempotencyKey }),
  }
  const schema = z.strictObject({ ...path.shape, ...query.shape, ...body?.schema.shape, ...own })
  const inPath = Object.keys(path.shape)
  const ofPath = Object.fromEntries(inPath.map((name) => [name, PARAMETER]))
  return {
    endpoint,
    /** All arguments. */
    names: Object.keys(schema.shape),
    /** Whether it finds a clientId by the client's name. */
    takesNameForId: 'clientName' in own,
    definition: {
      name: operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      title: summary,
      description: DESCRIPTIONS[operationId],
      inputSchema: JSON.parse(JSON.stringify(toJsonSchema(schema, 'input')), forModel),
      annotations: { readOnlyHint: isRead, destructiveHint: isEdit, idempotentHint: true, openWorldHint: false },
    },
    /** What a request can be made from; the endpoint has its own rules for the rest. */
    rule: z.object({ ...ofPath, ...(!body && LISTS), ...own }).catchall(body ? z.unknown() : PARAMETER),
    /** The request that a call with these arguments stands for. Throws ProblemError. */
    requestOf(given: Arguments): Performed {
      if (Number(given.limit) > MAX_LIMIT) throw wrongArguments(`limit is at most ${MAX_LIMIT}: ask for more pages.`)
      const inGiven = inPath.filter((name) => name in given)
      const parameters = Object.fromEntries(inGiven.map((name) => [name, textOf(given[name])]))
      const rest = Object.entries(given).filter(([name]) => !Object.hasOwn({ ...parameters, ...own }, name))
      const inQuery = body ? [] : rest.map(([name, value]): [string, string] => [name, textOf(value)])
      const { idempotencyKey: key, expectedVersion: expected, closingOverride: reason } = given
      return {
        method,
        path: pathTemplate.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(parameters[name] ?? '')),
        query: inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : '',
        parameters,
        headers: {
          ...(key !== undefined && { 'idempotency-key': String(key) }),
          ...(expected !== undefined && { 'if-match': `"${expected}"` }),
          ...(reason !== undefined && { 'closing-override': encodeURIComponent(String(reason)) }),
        },
        body: body && Object.fromEntries(rest),
      }
    },
  }
}

/** Patterns say nothing to a model, and it writes no URL. `not` has a pattern, without which it would refuse every value. */
function forModel(name: string, value: unknown): unknown {
  if (['pattern', 'not', '$schema'].includes(name)) return undefined
  if (name === 'limit') return { ...(value as object), maximum: MAX_LIMIT }
  return name === 'description' && typeof value === 'string' ? value.replace(/ In a URL, [^.]*\./, '') : value
}

/** Lists are separated by commas in a query. */
const textOf = (value: unknown): string => [value].flat().join().toWellFormed()

/** For arguments that no request can be made from; the text says what to do. */
export const wrongArguments = (detail: string): ProblemError => new ProblemError('validation_failed', { detail })
