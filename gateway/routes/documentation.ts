import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { fileAnswers, pageHeaders } from '../http/file-answer.ts'
import { asyncApiDocument } from '../openapi/asyncapi.ts'
import { openApiDocument } from '../openapi/document.ts'
import { documentFile } from '../openapi/documented.ts'
import { PAGE_HEADERS } from '../openapi/headers.ts'
import type { AnyRoute, PublicRoute } from './public.ts'

/** `/openapi.json`, `/docs`, which shows it, and `/asyncapi.json`. Generated, or read from disk, on the first request. */
export function documentationRoutes(routes: readonly AnyRoute[]): readonly PublicRoute[] {
  const document: PublicRoute = {
    path: '/openapi.json',
    documented: {
      operationId: 'getOpenApiDocument',
      summary: 'Get this document',
      answers: documentFile({ description: 'OpenAPI 3.1.', schema: openApi }),
    },
    answer: fileAnswers(async () => {
      const text = JSON.stringify(openApiDocument([...routes, document, ASYNC_DOCUMENT, PAGE]))
      return { content: Buffer.from(text), type: 'application/json; charset=utf-8' }
    }),
  }
  return [document, ASYNC_DOCUMENT, PAGE, ...PAGE_FILES]
}

const openApi = z.looseObject({ openapi: z.string() })

const ASYNC_DOCUMENT: PublicRoute = {
  path: '/asyncapi.json',
  documented: {
    operationId: 'getAsyncApiDocument',
    summary: 'Get the document that describes the messages on Kafka',
    answers: documentFile({ description: 'AsyncAPI 3.', schema: z.looseObject({ asyncapi: z.string() }) }),
  },
  answer: fileAnswers(async () => {
    return { content: Buffer.from(JSON.stringify(asyncApiDocument())), type: 'application/json; charset=utf-8' }
  }),
}

/** `/docs`: a page that shows the OpenAPI document and sends requests. */
const PAGE: PublicRoute = {
  path: '/docs',
  isPage: true,
  documented: {
    operationId: 'getDocumentation',
    summary: 'Get a page that shows this document and sends requests',
    answers: documentFile({ description: 'The page.', schema: z.string(), mediaType: 'text/html' }, PAGE_HEADERS),
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
  return { path: `/docs/${name}`, isPage: true, documented: undefined, answer: fromDisk(place, type) }
}

function fromDisk(place: () => string, type: string): PublicRoute['answer'] {
  return fileAnswers(async () => ({ content: await readFile(new URL(place())), type, headers: pageHeaders() }))
}
