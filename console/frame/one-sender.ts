import type { Api } from '../api/client.ts'
import { ApiProblem, Explained, isRefused, isUncertain } from '../api/problem.ts'
import { text } from '../languages/texts.ts'

/**
 * Sends what was or may be written again only for whom it was sent before. Idempotency-Keys are per principal: if somebody
 * else has signed in meanwhile, it would be written twice.
 */
export function forOneSender(api: Api, principal: () => Promise<string | undefined>): Api {
  /** Principals, by Idempotency-Key. */
  const senders = new Map<string, string | undefined>()
  return {
    ...api,
    async request(method, path, options = {}) {
      const key = options.headers?.['Idempotency-Key']
      if (key === undefined) return await api.request(method, path, options)
      const sender = await principal()
      const isAgain = senders.has(key)
      if (isAgain && senders.get(key) !== sender) throw new Explained(text('problem.sentByAnother'))
      senders.set(key, sender)
      try {
        return await api.request(method, path, options)
      } catch (error) {
        const isUnwritten = isAgain ? isRefused(error) : error instanceof ApiProblem && !isUncertain(error)
        if (isUnwritten && !(error as ApiProblem).written) senders.delete(key)
        throw error
      }
    },
  }
}
