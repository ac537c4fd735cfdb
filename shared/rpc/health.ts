import { createRequire } from 'node:module'
import { type AddableService, lazyService } from './lazy-service.ts'

const require = createRequire(import.meta.url)
const METHODS = [
  { path: '/grpc.health.v1.Health/Check', requestStream: false, responseStream: false },
  { path: '/grpc.health.v1.Health/Watch', requestStream: false, responseStream: true },
]

/** gRPC's standard health service: SERVING for the server as a whole (`""`) and for each of its services. */
export function healthService(names: readonly string[]): AddableService {
  return lazyService(METHODS, (recorder) => {
    const { HealthImplementation } = require('grpc-health-check') as typeof import('grpc-health-check')
    const statuses = Object.fromEntries(['', ...names].map((name) => [name, 'SERVING' as const]))
    new HealthImplementation(statuses).addToServer(recorder as never)
  })
}
