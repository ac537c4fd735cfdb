import type { Client, ClientOptions } from 'openapi-fetch'
import type { paths } from './mint-api.d.ts'

export type { components, operations, paths } from './mint-api.d.ts'

/** The address of a Mint, and the key to call it with. */
export interface MintClientOptions extends Omit<ClientOptions, 'headers'> {
  readonly baseUrl: string
  /** Begins with `mint_`. */
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A client for the Mint at `baseUrl`: `client.GET('/contracts', …)`, as in openapi-fetch. */
export function createMintClient(options: MintClientOptions): Client<paths>
