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

/** A generated service with the scopes that it takes to call it. */
export interface Guarded<Definition extends ServiceDefinition = ServiceDefinition> {
  readonly definition: Definition
  /** For methods that only read, see method-kinds.ts. */
  readonly read: Scope
  /** For all others. */
  readonly write: Scope
  /** Those that take any key. */
  readonly open?: readonly string[]
  /** What some methods need in place of both, by their names. */
  readonly others?: Readonly<Record<string, NeededScope>>
}

/** Of methods that only read, apart from those that try out a write. */
type ReadName = `${'get' | 'list' | 'report' | 'follow'}${string}`

function guarded<Definition extends ServiceDefinition>(definition: Definition, read: Scope, write: Scope) {
  return { definition, read, write }
}

/** Doesn't compile for a service that has other methods, too. */
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
  // It decides by itself what a key gets.
  open: Object.keys(EventsServiceService),
}

const status = readOnly(StatusServiceService, 'operations:read')

/** Whoever proposes sees what became of it. */
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

/** Every service that callers with an API key may call, by the name that its part offers it under. */
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

/** What a definition's service has to implement, and what its client offers. */
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

/** What a stream sends: each piece is made when there is room for it; undefined: nothing is sent. */
export type Pieces<Piece> = AsyncIterable<() => Promise<Piece | undefined>>

/** Some services, by name. */
export type ServicesOf<Table extends Readonly<Record<string, Guarded>>> = {
  readonly [Name in keyof Table]: ServiceOf<Table[Name]['definition']>
}

type ContractsServices = ServicesOf<(typeof SERVICES)['contracts']>
type BusinessesServices = ServicesOf<(typeof SERVICES)['businesses']>

/** What the gateway calls: all services of both parts; what each part offers by the name of the part and its own. */
export type CalledServices = ReturnType<typeof calledServices>

/** The services of both parts in the form that the gateway calls them in. */
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
