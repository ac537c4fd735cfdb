import { z } from 'zod'
import { fileAnswers } from '../http/file-answer.ts'
import { documentFile } from '../openapi/documented.ts'
import { FILE_HEADERS } from '../openapi/headers.ts'
import type { RouteDependencies } from './dependencies.ts'
import type { PublicRoute } from './public.ts'

/** Paths where programs expect the same information on any server. */
export function wellKnownRoutes({
  securityContact,
  clock,
}: Pick<RouteDependencies, 'securityContact' | 'clock'>): readonly PublicRoute[] {
  return [API_CATALOG, ...(securityContact === undefined ? [] : [securityText(securityContact, clock)])]
}

const links = z.array(z.looseObject({ href: z.string(), type: z.string() }))
const linkSet = z.object({
  linkset: z.array(z.object({ anchor: z.string(), 'service-desc': links, 'service-doc': links, status: links })),
})
const CATALOG_PATH = '/.well-known/api-catalog'
const CATALOG_TYPE = 'application/linkset+json'

/** RFC 9727. References are relative, as Mint doesn't know its own host name. */
const CATALOG = {
  linkset: [
    {
      anchor: '/',
      'service-desc': [
        { href: '/openapi.json', type: 'application/json' },
        { href: '/asyncapi.json', type: 'application/json' },
      ],
      'service-doc': [{ href: '/docs', type: 'text/html' }],
      status: [{ href: '/readyz', type: 'application/json' }],
    },
  ],
}

const API_CATALOG: PublicRoute = {
  path: CATALOG_PATH,
  documented: {
    operationId: 'getApiCatalog',
    summary: 'Get links to what describes the API',
    answers: documentFile({ description: 'A link set (RFC 9727).', schema: linkSet, mediaType: CATALOG_TYPE }, [
      'Link',
      ...FILE_HEADERS,
    ]),
  },
  answer: fileAnswers(async () => ({
    content: Buffer.from(JSON.stringify(CATALOG)),
    type: `${CATALOG_TYPE}; profile="https://www.rfc-editor.org/info/rfc9727"`,
    headers: { Link: `<${CATALOG_PATH}>; rel="api-catalog"` },
  })),
}

/** The contact is valid while Mint runs; a copy must be fetched again after this long. */
const VALID_MILLISECONDS = 30 * 24 * 60 * 60 * 1_000

/** RFC 9116. Not in the OpenAPI document, which is the same whatever the settings. */
function securityText(contact: string, clock: () => number): PublicRoute {
  return {
    path: '/.well-known/security.txt',
    documented: undefined,
    answer: () => ({
      status: 200,
      body: `Contact: ${contact}\r\nExpires: ${new Date(clock() + VALID_MILLISECONDS).toISOString()}\r\n`,
      headers: { 'Content-Type': 'text/plain; charset=utf-8' },
    }),
  }
}
