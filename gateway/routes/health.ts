import { z } from 'zod'
import type { Readiness } from '../../shared/runtime/process/readiness.ts'
import type { Answer } from './answer.ts'
import type { PublicRoute } from './public.ts'

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

/** `/healthz`: whether the process answers at all. */
export const healthRoute: PublicRoute = {
  path: '/healthz',
  documented: {
    operationId: 'getHealth',
    summary: 'Whether the gateway answers at all',
    answers: { 200: { description: 'The gateway answers.', schema: health } },
  },
  isUnlimited: true,
  answer: () => ({ status: 200, body: '{"status":"ok"}', headers: {} }),
}

const ready = z.object({ status: z.literal('ready'), missing: z.array(z.string()).length(0) }).meta({ id: 'Ready' })

const notReady = z
  .object({
    status: z.literal('not ready'),
    missing: z.array(z.string()).min(1).meta({ description: 'Names of what is unavailable now.' }),
  })
  .meta({ id: 'NotReady', examples: [{ status: 'not ready', missing: ['contracts'] }] })

/** `/readyz`: whether the gateway has what it needs. It gives only names, because anyone may ask. */
export function readyRoute(readiness: () => Promise<Readiness>): PublicRoute {
  return {
    path: '/readyz',
    documented: {
      operationId: 'getReadiness',
      summary: 'Whether the gateway has what it needs to answer requests',
      answers: {
        200: { description: 'The gateway is ready.', schema: ready },
        503: {
          description: 'The gateway is not ready; `missing` names what is unavailable now.',
          headers: ['Retry-After'],
          schema: notReady,
        },
      },
    },
    isUnlimited: true,
    async answer(): Promise<Answer> {
      const { ready, missing } = await readiness()
      if (ready) return { status: 200, body: JSON.stringify({ status: 'ready', missing }), headers: {} }
      const body = JSON.stringify({ status: 'not ready', missing })
      return { status: 503, body, headers: { 'Retry-After': '1' } }
    },
  }
}
