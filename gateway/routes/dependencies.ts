import type { ApiKeyAdministration } from '../../shared/api-keys/administration.ts'
import type { StatusService } from '../../shared/gen/mint/operations/v1/status.ts'
import type { CalledServices } from '../../shared/kinds/services.ts'
import type { Readiness } from '../../shared/runtime/process/readiness.ts'
import type { WebhookAdministration } from '../../shared/webhooks/administration.ts'
import type { Feed } from '../events/feed.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { KeyNames } from './authors.ts'

/** What the routes call, and what they say about this Mint. */
export interface RouteDependencies extends CalledServices {
  readonly feed: Feed
  /** Of the gateway's own data: the API keys. */
  readonly gatewayStatus: StatusService
  /** Finds the names of the authors of events. */
  readonly apiKeys: KeyNames
  /** Administers keys; throws StoreUnavailable while the gateway's database is not open. */
  readonly keyAdministration: () => ApiKeyAdministration
  /** Administers webhooks; throws StoreUnavailable while the gateway's database is not open. */
  readonly webhooks: () => WebhookAdministration
  /** Whether URLs of webhooks may use http. */
  readonly webhooksByHttp: boolean
  /** Where to report a vulnerability of this Mint: a `mailto:` or `https:` URI. undefined: nobody is named. */
  readonly securityContact?: string | undefined
  /** Host names with a dot under which `/console`, `/docs` and pages that call `/mcp` may be requested. */
  readonly pageHosts: readonly string[]
  /** Lets people sign in; undefined: only keys are used. */
  readonly signIn?: SignIn | undefined
  readonly clock: () => number
  /** Whether everything the gateway needs is available now; served at `/readyz`. */
  readonly readiness: () => Promise<Readiness>
}
