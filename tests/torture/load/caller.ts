/** The outcome of a request: an answer, `refused` (it was certainly never sent), or `broken` (unknown). */
export type Answer = Answered | { readonly status: 'refused' | 'broken'; readonly words: string }

export interface Answered {
  readonly status: number
  /** The status, with the code of a problem. */
  readonly words: string
  // biome-ignore lint/suspicious/noExplicitAny: any answer of the API
  readonly body: any
  /** From the ETag; NaN if there is none. */
  readonly version: number
}

export interface Request {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  readonly path: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls one of several gateways or processes; never rejects. */
export type Call = (gateway: number, request: Request) => Promise<Answer>

/** In milliseconds: longer than a gateway takes to give up. */
export const CALL_TIMEOUT = 8_000
/** No connection was made, so the request can't have been read. */
const NOT_SENT = new Set(['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'])

export function callerOf(urls: readonly string[], key: string): Call {
  return async (gateway, { method, path, body, headers = {} }) => {
    try {
      const answer = await fetch(`${urls[gateway]}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(CALL_TIMEOUT),
      })
      const parsed = (await answer.json()) as { readonly code?: string }
      const version = Number(answer.headers.get('etag')?.replaceAll('"', '') ?? Number.NaN)
      const words = answer.ok ? `${answer.status}` : `${answer.status} ${parsed.code}`
      return { status: answer.status, words, body: parsed, version }
    } catch (error) {
      const { cause } = error as { readonly cause?: { readonly code?: string } }
      const status = NOT_SENT.has(cause?.code ?? '') ? 'refused' : 'broken'
      return { status, words: status }
    }
  }
}
