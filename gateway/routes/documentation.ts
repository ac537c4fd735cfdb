import { z } from 'zod'
import { fileAnswers } from '../http/file-answer.ts'
import { openApiDocument } from '../openapi/document.ts'
import { PAGE, PAGE_FILES } from './documentation-page.ts'
import type { Route } from './endpoint.ts'
import type { PublicRoute } from './public.ts'

/** `/openapi.json`, and `/docs`, which shows it. The document is made, and files are read, when they are first asked for. */
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
    answer: ({ 'if-none-match': ifNoneMatch }) => answer(ifNoneMatch),
  }
  const answer = fileAnswers(async () => {
    const text = JSON.stringify(openApiDocument(routes, [...publicRoutes, document, PAGE]))
    return { content: Buffer.from(text), type: 'application/json; charset=utf-8' }
  })
  return [document, PAGE, ...PAGE_FILES]
}

const openApi = z.looseObject({ openapi: z.string() })
