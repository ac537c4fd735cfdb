import { ProblemError } from '../problem.ts'

/** More than any provider's metadata, keys or tokens have. */
const MAX_BYTES = 1_000_000

/**
 * A `fetch` for an identity provider, whose answers must be JSON, whatever their status, and arrive within this time from
 * now. Otherwise it throws unavailable: such answers come from proxies, login pages and outages of the provider.
 */
export function fetchWithin(milliseconds: number): typeof fetch {
  const signal = AbortSignal.timeout(milliseconds)
  return async (input, init) => {
    try {
      const response = await fetch(input, { ...init, signal })
      const { status, headers } = response
      if (status >= 500 || status === 429) throw new Error(`status ${status}`)
      const text = await textOf(response)
      if (!isJson(text)) throw new Error('it is not JSON')
      return new Response(text, { status, headers })
    } catch (error) {
      const why = `no usable answer from ${new URL(String(input)).origin}: ${(error as Error).message}`
      throw new ProblemError('unavailable', { detail: AWAY, cause: new Error(why, { cause: (error as Error).cause }) })
    }
  }
}

/** Without the parser's error, which quotes what may be a token. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const AWAY =
  'The identity provider can’t be reached, or its answer is not OpenID Connect. Try again later; API keys, and people who are signed in, are not affected.'
