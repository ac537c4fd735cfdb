import { z } from 'zod'
import type { PublicRoute } from './public.ts'

const health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' })

/** `/healthz`: whether the process answers at all. */
export const healthRoute: PublicRoute = {
  path: '/healthz',
  documented: {
    operationId: 'getHealth',
    summary: 'Whether the gateway answers at all',
    answers: { 200: { description: 'It does.', schema: health } },
  },
  answer: () => ({ status: 200, body: '{"status":"ok"}', headers: {} }),
}
