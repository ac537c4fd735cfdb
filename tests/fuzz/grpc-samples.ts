import { type Guarded, SERVICES } from '../../shared/kinds/services.ts'

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

const OF_EVENTS = { after: '', types: [], limit: 5, waitMilliseconds: 10 }

const { relay: _, ...businesses } = SERVICES.businesses
const DEFINITIONS = [SERVICES.contracts, businesses].flatMap((services): readonly Guarded[] => Object.values(services))

/** Requests of every method; those that can't be encoded, such as with a number for a text, are left out. */
export function grpcSamples(changes: Readonly<Record<string, unknown>>): GrpcSample[] {
  return DEFINITIONS.flatMap(({ definition }) =>
    Object.values(definition).flatMap(({ path, requestSerialize }) => {
      const attempts = [ANY_FIELDS, { ...ANY_FIELDS, id: 1 }, OF_EVENTS, {}].map((fields) => ({
        ...fields,
        ...changes,
      }))
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
