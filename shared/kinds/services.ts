import type { ServiceDefinition } from '@grpc/grpc-js'
import type { NeededScope, Scope } from '../api-keys/scopes.ts'
import type { CallContext } from '../calls/call-context.ts'
import { ClientsServiceService } from '../gen/mint/contracts/v1/clients.ts'
import { ClosingServiceService } from '../gen/mint/contracts/v1/closing.ts'
import { DeadLettersServiceService } from '../gen/mint/contracts/v1/dead_letters.ts'
import { FirmServiceService } from '../gen/mint/contracts/v1/firm.ts'
import { ProposalsServiceService } from '../gen/mint/contracts/v1/proposals.ts'
import { ReportsServiceService } from '../gen/mint/contracts/v1/reports.ts'
import { EventsServiceService } from '../gen/mint/events/v1/events.ts'
import { RelayServiceService } from '../gen/mint/operations/v1/relay.ts'
import { StatusServiceService } from '../gen/mint/operations/v1/status.ts'
import type { ServicePart } from './kind.ts'
import { KINDS } from './registry.ts'

/** A generated service with the scopes that its methods require. */
export interface Guarded<Definition extends ServiceDefinition = ServiceDefinition> {
  readonly definition: Definition
  /** For methods that only read, see method-kinds.ts. */
  readonly read: Scope
  /** For all other methods. */
  readonly write: Scope
  /** Methods that any key may call. */
  readonly open?: readonly string[]
  /** The scopes of methods that need another one, by name. */
  readonly others?: Readonly<Record<string, NeededScope>>
}

/** The names of methods that only read, except for those that check a write. */
type ReadName = `${'get' | 'list' | 'report' | 'follow'}${string}`

function guarded<Definition extends ServiceDefinition>(definition: Definition, read: Scope, write: Scope) {
  return { definition, read, write }
}

/** Doesn't compile for a service that also has methods that write. */
export function readOnly<Definition extends ServiceDefinition & { readonly [Method in ReadName]: unknown }>(
  definition: Definition & { readonly [Other in Exclude<keyof Definition, ReadName>]: never },
  read: Scope,
) {
  return guarded<Definition>(definition, read, read)
}

type Kinds = typeof KINDS

type OfKinds<Part extends ServicePart> = {
  readonly [One in keyof Kinds as Kinds[One]['part'] extends Part ? Kinds[One]['many'] : never]: Guarded<
    Kinds[One]['service']
  >
}

function ofKinds<Part extends ServicePart>(part: Part): OfKinds<Part> {
  const own = Object.values(KINDS).filter((kind) => kind.part === part)
  const services = own.map(({ many, service: definition }) => {
    return [many, guarded(definition, `${many}:read`, `${many}:write`)] as const
  })
  return Object.fromEntries(services) as unknown as OfKinds<Part>
}

const events = {
  ...readOnly(EventsServiceService, 'contracts:read'),
  // The service itself filters by the scopes of the key.
  open: Object.keys(EventsServiceService),
}

const status = readOnly(StatusServiceService, 'operations:read')

/** Who may propose may also read proposals. */
export const PROPOSALS_READ = ['contracts:read', 'contracts:propose'] as const satisfies NeededScope

const proposals = {
  ...guarded(ProposalsServiceService, 'contracts:read', 'contracts:write'),
  others: {
    createProposal: 'contracts:propose',
    listProposals: PROPOSALS_READ,
    getProposal: PROPOSALS_READ,
  } satisfies Partial<Record<keyof ProposalsServiceService, NeededScope>>,
}

const GET_KEYS = 'getSigningKeys' satisfies keyof RelayServiceService

const relay = { ...guarded(RelayServiceService, 'operations:read', 'operations:write'), open: [GET_KEYS] }

const GET_FIRM = 'getFirm' satisfies keyof FirmServiceService

/** Every service that callers with an API key may call, by its part and its name there. */
export const SERVICES = {
  contracts: {
    ...ofKinds('contracts'),
    clients: readOnly(ClientsServiceService, 'clients:read'),
    closing: guarded(ClosingServiceService, 'contracts:read', 'closing:write'),
    firm: { ...guarded(FirmServiceService, 'contracts:read', 'firm:write'), open: [GET_FIRM] },
    proposals,
    reports: readOnly(ReportsServiceService, 'contracts:read'),
    deadLetters: guarded(DeadLettersServiceService, 'operations:read', 'operations:write'),
    events,
    status,
    relay,
  },
  businesses: {
    ...ofKinds('businesses'),
    events,
    status,
    relay,
  },
} as const satisfies Readonly<Record<ServicePart, Readonly<Record<string, Guarded>>>>

/** The interface of a service, implemented by the service itself and by its client. */
export type ServiceOf<Definition> = {
  readonly [Method in keyof Definition]: Definition[Method] extends {
    requestDeserialize: (bytes: Buffer) => infer Request
    responseDeserialize: (bytes: Buffer) => infer Response
  }
    ? (
        request: Request,
        context?: CallContext,
      ) => Promise<Definition[Method] extends { responseStream: true } ? Pieces<Response> : Response>
    : never
}

/** The messages of a stream: each is made when there is memory for it; undefined: nothing is sent. */
export type Pieces<Piece> = AsyncIterable<() => Promise<Piece | undefined>>

/** Services by name. */
export type ServicesOf<Table extends Readonly<Record<string, Guarded>>> = {
  readonly [Name in keyof Table]: ServiceOf<Table[Name]['definition']>
}

type ContractsServices = ServicesOf<(typeof SERVICES)['contracts']>
type BusinessesServices = ServicesOf<(typeof SERVICES)['businesses']>

export type CalledServices = ReturnType<typeof calledServices>

/** All services that the gateway calls; those that both parts have get the name of the part as a prefix. */
export function calledServices(
  { status: contractsStatus, events: contractsEvents, relay: contractsRelay, ...ofContracts }: ContractsServices,
  { status: businessesStatus, events: businessesEvents, relay: businessesRelay, ...ofBusinesses }: BusinessesServices,
) {
  return {
    ...ofContracts,
    ...ofBusinesses,
    ...{ contractsStatus, contractsEvents, contractsRelay },
    ...{ businessesStatus, businessesEvents, businessesRelay },
  }
}
