import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { fileAnswers } from '../http/file-answer.ts'
import type { PublicRoute } from './public.ts'

/** Nothing from elsewhere, nothing inline; images also within the style sheet. */
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
export const PAGE: PublicRoute = {
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

/** The files that the page is made of. */
export const PAGE_FILES: readonly PublicRoute[] = [
  pageFile('start.js', () => import.meta.resolve('../openapi/page/start.js'), SCRIPT),
  pageFile('swagger-ui-bundle.js', () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'), SCRIPT),
  pageFile('swagger-ui.css', () => import.meta.resolve('swagger-ui-dist/swagger-ui.css'), 'text/css; charset=utf-8'),
  pageFile('favicon-32x32.png', () => import.meta.resolve('swagger-ui-dist/favicon-32x32.png'), 'image/png'),
]

function pageFile(name: string, place: () => string, type: string): PublicRoute {
  return { path: `/docs/${name}`, documented: undefined, answer: fromDisk(place, type) }
}

function fromDisk(place: () => string, type: string): PublicRoute['answer'] {
  const answer = fileAnswers(async () => ({ content: await readFile(new URL(place())), type, headers: PAGE_HEADERS }))
  return ({ 'if-none-match': ifNoneMatch }) => answer(ifNoneMatch)
}

const PAGE_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
