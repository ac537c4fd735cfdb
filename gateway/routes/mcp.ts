import { z } from 'zod'
import { ONCE, sharingRuns } from '../../shared/async/shared-runs.ts'
import { ownHosts } from '../../shared/runtime/http/own-hosts.ts'
import { endpoint, JSON_BODY, type Route } from './endpoint.ts'

/** Longer than the time limits of any request that a message stands for, which therefore apply first. */
const TIMEOUT_MILLISECONDS = 40_000

const message = z.looseObject({}).meta({ id: 'McpMessage', description: 'A message of the protocol, in JSON-RPC 2.0.' })

const refused = (why: string) => {
  return { description: `${why}: an error of JSON-RPC.`, schema: message, isAlsoProblem: true }
}

/** `/mcp`, where agents call tools that stand for requests to these routes. Loaded on its first request. */
export function mcpRoute(routes: readonly Route[], pageHosts: readonly string[]): Route {
  const loading = sharingRuns(async () => {
    const { createMcp } = await import('../mcp/serve-mcp.ts')
    return createMcp(routes, ownHosts(pageHosts))
  }, ONCE)
  const call = endpoint({
    operationId: 'sendMcpMessage',
    summary: 'Call Mint as an agent, with the Model Context Protocol',
    description:
      'Streamable HTTP without sessions, in the protocol’s current revision and the one before: see https://modelcontextprotocol.io. The tools are those that the key’s scopes allow.',
    answers: {
      200: { description: 'The message that answers it.', schema: message },
      202: { description: 'It was a notification.' },
      400: refused('It is not a message of a revision that this server speaks'),
      403: refused('It comes from a page of another host'),
      404: refused('There is no such method'),
      406: refused('Accept lacks `application/json` or `text/event-stream`'),
    },
    scope: undefined,
    body: { schema: message, computed: [], mediaTypes: JSON_BODY },
    refusesWriteHeaders: true,
    // Answers are charged by the requests that a message stands for.
    memory: 0,
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    answer: async (input) => (await loading.join())(input),
  })
  return { path: '/mcp', methods: { POST: call } }
}
