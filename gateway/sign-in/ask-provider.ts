import { ProblemError } from '../problem.ts'

/** More than any provider's description, keys or tokens have, in bytes. */
const MOST_BYTES = 1_000_000

/**
 * A `fetch` for an identity provider: what it answers is JSON, whatever its status, and all of it arrives within this
 * time from now. Throws unavailable where that isn't so: what the provider's proxies, login pages and outages answer.
 */
export function askingWithin(milliseconds: number): typeof fetch {
  const signal = AbortSignal.timeout(milliseconds)
  return async (input, init) => {
    try {
      const response = await fetch(input, { ...init, signal })
      const { status, headers } = response
      if (status >= 500 || status === 429) throw new Error(`status ${status}`)
      const text = await textOf(response)
      JSON.parse(text)
      return new Response(text, { status, headers })
    } catch (error) {
      const why = `no usable answer from ${new URL(String(input)).origin}: ${(error as Error).message}`
      throw new ProblemError('unavailable', { detail: AWAY, cause: new Error(why, { cause: (error as Error).cause }) })
    }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of body ?? []) {
    bytes += piece.length
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

const AWAY =
  'The identity provider can’t be reached, or its answer is not OpenID Connect. Try again later; API keys, and people who have signed in, work on.'
