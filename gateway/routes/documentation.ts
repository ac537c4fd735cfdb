import { z } from 'zod'
import { fileAnswer } from '../http/file-answer.ts'
import { PAGE, PAGE_FILES } from './documentation-page.ts'
import type { Route } from './endpoint.ts'
import type { PublicRoute } from './public.ts'

/** `/openapi.json`, and `/docs`, which shows it. Nothing of it is made or read before it is asked for. */
export function documentationRoutes(
  routes: readonly Route[],
  publicRoutes: readonly PublicRoute[],
): readonly PublicRoute[] {
  let text: Promise<string> | undefined
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
    answer: async ({ 'if-none-match': ifNoneMatch }) => {
      text ??= makeDocument()
      return fileAnswer(await text, 'application/json; charset=utf-8', ifNoneMatch)
    },
  }
  const makeDocument = async (): Promise<string> => {
    const { openApiDocument } = await import('../openapi/document.ts')
    return JSON.stringify(openApiDocument(routes, [...publicRoutes, document, PAGE]))
  }
  return [document, PAGE, ...PAGE_FILES]
}

const openApi = z.looseObject({ openapi: z.string() })
