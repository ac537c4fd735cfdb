import type { Client, ClientOptions } from 'openapi-fetch'
import type { paths } from './mint-api.d.ts'

export type { components, operations, paths } from './mint-api.d.ts'

/** Where a Mint is, and with which key to call it. */
export interface MintClientOptions extends Omit<ClientOptions, 'headers'> {
  readonly baseUrl: string
  /** Begins with `mint_`. */
  readonly apiKey: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A client of the Mint at `baseUrl`: `client.GET('/contracts', …)`, as openapi-fetch has it. */
export function createMintClient(options: MintClientOptions): Client<paths>
