/** The parts of oidc-provider that tests use; the package has no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  /** The part of Koa's context that tests need to change answers. */
  export interface ProviderContext {
    readonly path: string
    status: number
    type: string
    // biome-ignore lint/suspicious/noExplicitAny: any answer of the provider
    body: any
  }

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  export default class Provider {
    constructor(issuer: string, configuration: object)
    readonly Grant: new (of: {
      accountId: string
      clientId: string
    }) => Grant
    /** Whether errors are not printed. */
    silent: boolean
    callback(): RequestListener
    use(middleware: (context: ProviderContext, next: () => Promise<void>) => Promise<void>): void
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export default class MemoryAdapter {}
}
