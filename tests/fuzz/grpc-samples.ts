import type { ServiceDefinition } from '@grpc/grpc-js'
import { BusinessesServiceService } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import { ClientsServiceService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import { ClosingServiceService } from '../../shared/gen/mint/contracts/v1/closing.ts'
import { ContractsServiceService } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { DeadLettersServiceService } from '../../shared/gen/mint/contracts/v1/dead_letters.ts'
import { ReportsServiceService } from '../../shared/gen/mint/contracts/v1/reports.ts'
import { StatusServiceService } from '../../shared/gen/mint/operations/v1/status.ts'

/** An encoded request. */
export interface GrpcSample {
  readonly path: string
  readonly payload: Buffer
}

const ANY_FIELDS = {
  id: '11111111-1111-1111-1111-111111111111',
  ...{ clientId: '11111111-1111-1111-1111-111111111111', serviceName: 'x', serviceType: 'y', serviceFee: '1.5' },
  ...{ ids: ['3f9a0c11d2e4'], legalName: 'x', search: 'a', limit: 5, offset: 0, asOf: 1, version: 2 },
  ...{ groupBy: ['month', 'clientId'], since: 1, until: 2 },
}

const SERVICES = [
  ContractsServiceService,
  ClientsServiceService,
  ClosingServiceService,
  DeadLettersServiceService,
  ReportsServiceService,
  StatusServiceService,
  BusinessesServiceService,
]

/** Requests of every method; numbers where a service wants a text fail to be encoded, and are left out. */
export function grpcSamples(changes: Readonly<Record<string, unknown>>): GrpcSample[] {
  return SERVICES.flatMap((definition) =>
    Object.values(definition as ServiceDefinition).flatMap(({ path, requestSerialize }) => {
      const attempts = [ANY_FIELDS, { ...ANY_FIELDS, id: 1 }, {}].map((fields) => ({ ...fields, ...changes }))
      return attempts.flatMap((fields) => {
        try {
          return [{ path, payload: requestSerialize({ search: '', id: '', ...fields }) }]
        } catch {
          return []
        }
      })
    }),
  )
}
