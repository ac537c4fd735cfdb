import { z } from 'zod'
import { check } from '../../shared/fields/check.ts'
import { closingReason } from '../../shared/fields/closing-fields.ts'
import { capitalised, typeMessage } from '../../shared/fields/rule.ts'
import { text } from '../../shared/fields/text.ts'
import type { Kind } from '../../shared/kinds/kind.ts'
import { KINDS } from '../../shared/kinds/registry.ts'
import { takesClosingOverride } from '../http/closing-override.ts'
import { type Json, toJsonSchema } from '../openapi/component-schemas.ts'
import { ProblemError } from '../problem.ts'
import type { Endpoint, Method, Performed, Route } from '../routes/endpoint.ts'

/** An endpoint that agents may call. */
export interface Tool {
  readonly method: Method
  /** In Express's notation. */
  readonly path: string
  readonly endpoint: Endpoint
  /** The arguments that it has beside those of the endpoint. */
  readonly own: Partial<typeof OWN>
  /** What the protocol says about it. */
  readonly described: ReturnType<typeof describe>
  /** What its request can be made of. The endpoint has its own rules for the rest. */
  readonly rule: z.ZodObject
}

type ToolRequest = Pick<Tool, 'method' | 'path' | 'endpoint'>

/** What a tool is called with, by name. */
export type Arguments = Readonly<Record<string, unknown>>

const BY_CLIENT = 'Give `clientId`, or the client’s name as `clientName`.'
const PERIOD = 'A month, say March 2026, is serviceDateFrom 2026-03-01 with serviceDateTo 2026-03-31.'

/**
 * What agents may do, by operation, and what a model has to know of it beyond its fields. Whatever isn’t here has no tool:
 * keys, webhooks, operations, closing the books, editing the firm and deciding on proposals never get one.
 */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(KINDS).flatMap(([one, kind]) => Object.entries(ofKind(one, kind)))),
  listClients:
    'Find clients by name: `search` matches words anywhere in it. Contracts refer to a client by its clientId.',
  getClient: 'Get one client by its clientId.',
  listClientNames: 'Get the names of up to 100 clients, by their clientIds separated by commas.',
  reportContracts: `What was billed: contracts added up, now or as of a moment, by month, client or service type. ${BY_CLIENT} ${PERIOD} \`billed\` is the amount on the bills; amounts are exact decimals as text.`,
  listContractLines: `The contracts behind a sum of report_contracts, one line each, with the same filters. ${BY_CLIENT} ${PERIOD}`,
  listContractChanges: `What changed in a report since a moment: each contract before and after, when, and by whom. For changes after books were closed, \`since\` is the \`at\` of the closing, from list_closing_history. ${BY_CLIENT} ${PERIOD}`,
  getClosing: 'Through which day the books are closed now, since when, by whom and why.',
  listClosingHistory:
    'Every closing and reopening of the books, oldest first. A month was closed by the first event whose closedThrough is its last day or later.',
  getFirm: 'Whose books these are, with the currency of all amounts and the time zone.',
  listFirmHistory: 'Who changed what of the firm’s record, and when: its events, oldest first.',
  listProposals: 'List proposals, newest first, with what became of them.',
  getProposal: 'Get one proposal, with a preview of the contract and its months without and with the change.',
  createProposal:
    'Propose to create a contract, or to edit one, which a person then accepts or declines: nothing changes before. For an edit, read the contract first and give its `version`. The answer previews what the change would do.',
  listEvents:
    'Follow everything that changes, in order. Give the `next` of the last answer as `after`, again and again; `after` is `now` to begin with what is to come.',
}

function ofKind(one: string, { many, about }: Kind): Readonly<Record<string, string>> {
  const [One, Many] = [capitalised(one), capitalised(many)]
  return {
    [`list${Many}`]: `List ${many}, newest first. ${about}`,
    [`get${One}`]: `Get one ${one} with its \`version\`, as it is now or was at a moment (\`asOf\`).`,
    [`list${One}History`]: `Who changed what of a ${one}, and when: its events, oldest first.`,
    [`create${One}`]: `Create a ${one}. ${about}`,
    [`edit${One}`]: `Edit a ${one}: give only the fields to change. Read it first, and give its \`version\` as \`expectedVersion\`.`,
  }
}

/** All tools by name, in the order of the routes. */
export function toolsOf(routes: readonly Route[]): ReadonlyMap<string, Tool> {
  const tools = routes.flatMap(({ path, methods }) =>
    Object.entries(methods).flatMap(([method, endpoint]) => {
      const description = DESCRIPTIONS[endpoint.operationId]
      return description === undefined ? [] : [toolOf({ method: method as Method, path, endpoint }, description)]
    }),
  )
  return new Map(tools.map((tool) => [tool.described.name, tool]))
}

function toolOf(request: ToolRequest, description: string): Tool {
  const own = ownArguments(request)
  return { ...request, own, described: describe(request, own, description), rule: argumentsRule(request, own) }
}

/** Longest page of a tool: a model reads all of it. */
export const MAX_LIMIT = 100

/** The arguments that tools have beside those of their endpoints. */
const OWN = {
  clientName: text({ min: 1, max: 200 }).optional().meta({
    description: 'The name of the client, in place of clientId.',
  }),
  expectedVersion: z
    .int({ error: typeMessage('a version') })
    .min(1)
    .optional()
    .meta({ description: 'The `version` that you read: at any other nothing is changed.' }),
  closingOverride: closingReason.optional().meta({
    description: 'Why this is written although its date lies in closed books. Only if a person said so.',
  }),
  idempotencyKey: z.string().meta({
    description:
      'A new text for each new change, 1 to 255 visible ASCII characters, for example a UUID. Repeat a change whose outcome you don’t know with the same one: it is made once.',
  }),
}

/** Which of them a tool has. */
function ownArguments({ endpoint, method }: ToolRequest): Tool['own'] {
  const { clientName, expectedVersion, closingOverride, idempotencyKey } = OWN
  const { clientId, clientName: searched } = endpoint.query.shape
  return {
    ...(clientId && !searched && { clientName }),
    ...(method === 'PATCH' && { expectedVersion }),
    ...(takesClosingOverride(endpoint) && { closingOverride }),
    ...(method !== 'GET' && { idempotencyKey }),
  }
}

function describe({ method, endpoint }: ToolRequest, own: Tool['own'], description: string) {
  const given = { ...endpoint.path.shape, ...endpoint.query.shape, ...endpoint.body?.schema.shape, ...own }
  const { $schema: _, ...inputSchema } = toJsonSchema(z.strictObject(given), 'input')
  const limit = inputSchema.properties?.limit as { maximum?: number } | undefined
  if (limit) limit.maximum = MAX_LIMIT
  const readable = JSON.parse(JSON.stringify(inputSchema), withoutNoise)
  const changes = { readOnlyHint: method === 'GET', destructiveHint: method === 'PATCH', idempotentHint: true }
  return {
    name: endpoint.operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    title: endpoint.summary,
    description,
    inputSchema: readable as Json & { readonly type: 'object' },
    annotations: { ...changes, openWorldHint: false },
  }
}

/** Patterns say nothing to a model, and it writes no URL. */
function withoutNoise(name: string, value: unknown): unknown {
  if (name === 'pattern') return undefined
  return name === 'description' && typeof value === 'string' ? value.replace(/ In a URL, [^.]*\./, '') : value
}

/** For arguments that no request can be made of; the text says what to do. */
export const wrongArguments = (detail: string): ProblemError => new ProblemError('validation_failed', { detail })

/** What stands in a path or a query: a text, whatever its own rule then makes of it. */
const PARAMETER = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))], {
    error: typeMessage('a text, a number or a list of them'),
  })
  .optional()

function argumentsRule({ endpoint: { path, body } }: ToolRequest, { idempotencyKey: _, ...own }: Tool['own']) {
  const inPath = Object.fromEntries(Object.keys(path.shape).map((name) => [name, PARAMETER]))
  return z.object({ ...inPath, ...own, clientName: OWN.clientName }).catchall(body ? z.unknown() : PARAMETER)
}

/** Throws ProblemError with every argument that no request can be made of. */
export function checkArguments({ rule }: Tool, given: Arguments): void {
  const checked = check(rule, given)
  if (checked.type === 'valid') return
  const errors = checked.violations.map((violation) => ({ in: 'body', ...violation }) as const)
  throw new ProblemError('validation_failed', { errors })
}

/** The request that a call of a tool stands for. Throws ProblemError. */
export function requestOf({ method, path, endpoint, own }: Tool, given: Arguments): Performed {
  const isWrite = method !== 'GET'
  const { idempotencyKey, expectedVersion, closingOverride } = given
  if (isWrite && typeof idempotencyKey !== 'string') {
    throw wrongArguments('idempotencyKey is required: give a new text for each new change, for example a UUID.')
  }
  if (Number(given.limit) > MAX_LIMIT) throw wrongArguments(`limit is at most ${MAX_LIMIT}: ask for more pages.`)
  const inPath = Object.keys(endpoint.path.shape)
  const parameters = Object.fromEntries(inPath.map((name) => [name, textOf(given[name] ?? '')]))
  const elsewhere = [...inPath, ...Object.keys(own)]
  const rest = Object.entries(given).filter(([name]) => !elsewhere.includes(name))
  const inQuery = endpoint.body ? [] : rest.map(([name, value]): [string, string] => [name, textOf(value)])
  return {
    method,
    path: path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(parameters[name] ?? '')),
    query: inQuery.length > 0 ? `?${new URLSearchParams(inQuery)}` : '',
    parameters,
    headers: {
      ...(isWrite && { 'idempotency-key': String(idempotencyKey) }),
      ...(expectedVersion !== undefined && { 'if-match': `"${expectedVersion}"` }),
      ...(closingOverride !== undefined && { 'closing-override': encodeURIComponent(String(closingOverride)) }),
    },
    body: endpoint.body && Object.fromEntries(rest),
  }
}

/** Lists are separated by commas in a query. */
const textOf = (value: unknown): string => [value].flat().join().toWellFormed()
