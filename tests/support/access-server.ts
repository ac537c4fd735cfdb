import type { CallContext } from '../../shared/calls/call-context.ts'
import { BusinessesServiceService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { ClosingServiceService } from '../../shared/gen/mint/contracts/v1/closing.ts'
import { ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { DeadLettersServiceService } from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import { FirmServiceService } from '../../shared/gen/mint/contracts/v1/firm.ts'
import { ProposalsServiceService } from '../../shared/gen/mint/contracts/v1/proposals.ts'
import { ReportsServiceService } from '../../shared/gen/mint/contracts/v1/reports.ts'
import { EventsServiceService } from '../../shared/gen/mint/events/v1/events.ts'
import { RelayServiceService } from '../../shared/gen/mint/operations/v1/relay.ts'
import { StatusServiceService } from '../../shared/gen/mint/operations/v1/status.ts'
import type { GrpcAccess } from '../../shared/rpc/access/admission.ts'
import type { GrpcService } from '../../shared/rpc/server/grpc-server.ts'
import { testAccess } from './grpc-access.ts'
import type { GrpcOutcome } from './grpc-call.ts'
import { grpcServer } from './grpc-server.ts'

/** Of every method. */
const EMPTY = {
  contracts: [],
  clients: [],
  businesses: [],
  closings: [],
  events: [],
  names: [],
  proposals: [],
  verdicts: [],
  rows: [],
  lines: [],
  changes: [],
  deadLetters: [],
  replayed: [],
  views: [],
  processes: [],
  topicProblems: [],
  ...{ asOf: 0, since: 0, until: 0, total: 0, remaining: 0, engine: '', position: 0 },
}

/** A server with all services, whose methods return empty replies and record the context of each call. */
export async function accessServer(access: Partial<GrpcAccess> = {}) {
  const seen: (CallContext | undefined)[] = []
  const answer = async (_: unknown, context?: CallContext) => {
    seen.push(context)
    return EMPTY
  }
  const services = [
    BusinessesServiceService,
    ClientsServiceService,
    ClosingServiceService,
    ContractsServiceService,
    DeadLettersServiceService,
    EventsServiceService,
    FirmServiceService,
    RelayServiceService,
    ProposalsServiceService,
    ReportsServiceService,
    StatusServiceService,
  ].map((definition) => {
    const methods = Object.keys(definition).map((name) => [name, answer])
    return { definition, implementation: Object.fromEntries(methods) } as GrpcService
  })
  const { address } = await grpcServer(services, { access: { ...testAccess, ...access } })
  return { address, seen }
}

/** What a caller's program relies on. */
export const short = ({ code, reason }: GrpcOutcome) => [code, reason]
