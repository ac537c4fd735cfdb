import {
  createMcpHandler,
  isLegacyRequest,
  originValidationResponse,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import packageJson from '../../package.json' with { type: 'json' }
import { missingScopeMessage } from '../../shared/api-keys/scopes.ts'
import { foldWhole } from '../../shared/event-sourcing/search-folding.ts'
import { ProblemError } from '../problem.ts'
import type { Answer } from '../routes/answer.ts'
import { requireScope } from '../routes/caller.ts'
import type { Input, Route } from '../routes/endpoint.ts'
import { type Arguments, checkArguments, MAX_LIMIT, requestOf, type Tool, toolsOf, wrongArguments } from './tools.ts'

type McpInput = Pick<Input<unknown, unknown, object>, 'body' | 'headers' | 'caller' | 'perform'>
interface ClientPage {
  readonly clients: readonly { readonly clientId: string; readonly displayName: string }[]
  readonly total: number
}

const INSTRUCTIONS =
  'Mint has the books of a firm that bills clients. A contract is one service for a client, billed with serviceFee plus tax. Dates are YYYY-MM-DD, moments RFC 3339, amounts decimals in the firm’s currency (get_firm). Books are closed through a day: what is dated up to it can’t be changed. Every change has an idempotencyKey of its own. A refusal says what to do.'

/** Answers messages of the Model Context Protocol, each on its own. `isOwnHost`: see ownHosts. */
export function createMcp(routes: readonly Route[], isOwnHost: (host: string) => boolean) {
  const tools = toolsOf(routes)

  function serverFor({ caller, perform }: McpInput): Server {
    const capabilities = { tools: {} }
    const server = new Server(
      { name: 'mint', version: packageJson.version },
      { capabilities, instructions: INSTRUCTIONS },
    )
    server.setRequestHandler('tools/list', () => {
      const isAllowed = ({ endpoint: { scope } }: Tool) =>
        scope === undefined || !missingScopeMessage(caller.scopes, scope)
      const allowed = [...tools.values()].filter(isAllowed)
      return { tools: allowed.map(({ described }) => described) }
    })
    server.setRequestHandler('tools/call', async ({ params }) => {
      const tool = tools.get(params.name)
      try {
        if (tool === undefined) throw wrongArguments(`There is no tool ${params.name}. List the tools.`)
        requireScope(caller, tool.endpoint.scope)
        return { content: [text(await call(tool, params.arguments ?? {}, perform))] }
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { content: [text(refusalIn(error))], isError: true }
      }
    })
    return server
  }

  async function call(tool: Tool, given: Arguments, perform: McpInput['perform']): Promise<string> {
    checkArguments(tool, given)
    const { clientName, ...others } = given
    const isNamed = clientName !== undefined && !('clientName' in tool.endpoint.query.shape)
    if (isNamed && others.clientId !== undefined) throw wrongArguments('Give clientId or clientName, not both.')
    const meant = isNamed ? { ...others, clientId: await clientIdOf(String(clientName), perform) } : given
    const { body, headers } = await perform(tool.endpoint, requestOf(tool, meant))
    // Of a record, what an edit of it has to name.
    const version = /^"(\d+)"$/.exec(headers.ETag ?? '')?.[1]
    return version === undefined || 'preview' in JSON.parse(body) ? body : `{"version":${version},${body.slice(1)}`
  }

  /** The one client of this name. Throws ProblemError. */
  async function clientIdOf(name: string, perform: McpInput['perform']): Promise<string> {
    const list = tools.get('list_clients')
    if (list === undefined) throw new Error('There is no tool that lists clients.')
    const { body } = await perform(list.endpoint, requestOf(list, { search: name, limit: MAX_LIMIT }))
    const { clients, total } = JSON.parse(body) as ClientPage
    const exact = clients.filter(({ displayName }) => foldWhole(displayName) === foldWhole(name))
    const [one, ...others] = exact.length > 0 ? exact : clients
    if (one && others.length === 0) return one.clientId
    const found = clients.map(({ clientId, displayName }) => `${displayName} (clientId ${clientId})`)
    if (found.length === 0) throw wrongArguments(`No client is called ${name}. Find its name with list_clients.`)
    if (total > MAX_LIMIT) throw wrongArguments(`${total} clients match ${name}. Find its clientId with list_clients.`)
    throw wrongArguments(`Several clients match ${name}. Give the clientId of one of them: ${found.join('; ')}.`)
  }

  return async (input: McpInput): Promise<Answer> => {
    const { headers, body } = input
    const given = Object.entries(headers).filter(([name]) => /^(accept|content-type|origin|mcp-.*)$/.test(name))
    const request = new Request('http://mint/mcp', {
      method: 'POST',
      headers: given.map(([name, value]) => [name, String(value)]),
      body: '{}',
    })
    const host = headers.host ?? ''
    const allowed = isOwnHost(host) ? [host.replace(/:\d*$/, '')] : []
    const response = originValidationResponse(request, allowed) ?? (await answer(request, body, () => serverFor(input)))
    const type = response.headers.get('content-type')
    return {
      status: response.status,
      body: await response.text(),
      headers: type === null ? {} : { 'Content-Type': type },
    }
  }
}

/** In JSON, in whichever revision. Nobody is notified of changes over this: no stream may stay open. */
async function answer(request: Request, parsedBody: unknown, server: () => Server): Promise<Response> {
  if (!(await isLegacyRequest(request, parsedBody))) {
    return await createMcpHandler(server, { maxSubscriptions: 0, keepAliveMs: 0 }).fetch(request, { parsedBody })
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server().connect(transport)
  return await transport.handleRequest(request, { parsedBody })
}

const text = (body: string) => ({ type: 'text' as const, text: body })

/** What is wrong, field by field, and what to do; headers by the arguments that they are sent for. */
function refusalIn({ code, message, errors }: ProblemError): string {
  const fields = errors.map(({ pointer, message }) => `${pointer.slice(1).replaceAll('/', '.')}: ${message}`)
  const words = [`${code}: ${message}`, ...fields].join('\n')
  return words.replaceAll('Idempotency-Key', 'idempotencyKey').replaceAll('Closing-Override', 'closingOverride')
}
