import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { fileAnswers } from '../http/file-answer.ts'
import { openApiDocument } from '../openapi/document.ts'
import type { Route } from './endpoint.ts'
import type { PublicRoute } from './public.ts'

/** `/openapi.json`, and `/docs`, which shows it. Generated, or read from disk, on the first request. */
export function documentationRoutes(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): readonly PublicRoute[] {
  const document: PublicRoute = {
    path: '/openapi.json',
    documented: {
      operationId: 'getOpenApiDocument',
      summary: 'Get this document',
      answers: {
        200: { description: 'OpenAPI 3.1.', headers: ['ETag', 'Cache-Control'], schema: openApi },
        304: { description: 'If-None-Match names the current one.', headers: ['ETag', 'Cache-Control'] },
      },
    },
    answer: fileAnswers(async () => {
      const text = JSON.stringify(openApiDocument(routes, [...publicRoutes, document, PAGE]))
      return { content: Buffer.from(text), type: 'application/json; charset=utf-8' }
    }),
  }
  return [document, PAGE, ...PAGE_FILES]
}

const openApi = z.looseObject({ openapi: z.string() })

/** Nothing from other origins, nothing inline; images may also be in the style sheet, as data URLs. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = [
  'ETag',
  'Cache-Control',
  'Content-Security-Policy',
  'X-Content-Type-Options',
  'Referrer-Policy',
] as const

/** `/docs`: a page that shows the OpenAPI document and sends requests. */
const PAGE: PublicRoute = {
  path: '/docs',
  documented: {
    operationId: 'getDocumentation',
    summary: 'Get a page that shows this document and sends requests',
    answers: {
      200: { description: 'The page.', headers, schema: z.string(), mediaType: 'text/html' },
      304: { description: 'If-None-Match names the current one.', headers },
    },
  },
  answer: fromDisk(() => import.meta.resolve('../openapi/page/docs.html'), 'text/html; charset=utf-8'),
}

const SCRIPT = 'text/javascript; charset=utf-8'

/** The files that the page loads. */
const PAGE_FILES: readonly PublicRoute[] = [
  pageFile('start.js', () => import.meta.resolve('../openapi/page/start.js'), SCRIPT),
  pageFile('swagger-ui-bundle.js', () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), SCRIPT),
  pageFile('swagger-ui.css', () => import.meta.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'),
  pageFile('favicon-32x32.png', () => import.meta.resolve('swagger-ui-dist/favicon-32x32.png'), 'image/png'),
]

function pageFile(name: string, place: () => string, type: string): PublicRoute {
  return { path: `/docs/${name}`, documented: undefined, answer: fromDisk(place, type) }
}

function fromDisk(place: () => string, type: string): PublicRoute['answer'] {
  return fileAnswers(async () => ({ content: await readFile(new URL(place())), type, headers: PAGE_HEADERS }))
}

const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
