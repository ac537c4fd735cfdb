import createClient from 'openapi-fetch'

/** A client of the Mint at `baseUrl`, for openapi-fetch; `apiKey` begins with `mint_`. */
export function createMintClient({ apiKey, ...options }) {
  return createClient({ ...options, headers: { ...options.headers, Authorization: `Bearer ${apiKey}` } })
}
