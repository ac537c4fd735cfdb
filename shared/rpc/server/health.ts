import { EventEmitter } from 'node:events'
import { status } from '@grpc/grpc-js'
import {
  type HealthCheckRequest,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus,
  type HealthServer,
  HealthService,
} from '../../gen/grpc/health/v1/health.ts'

const { SERVING, NOT_SERVING } = HealthCheckResponse_ServingStatus

/** Checks whether something can be used now; counts as false when it throws. */
export type HealthCheck = () => Promise<boolean>

/** By name: `''` for the server as a whole and each of its services; any other name for something that it uses. */
export type HealthChecks = Readonly<Record<string, HealthCheck>>

/**
 * gRPC's standard health service. A check runs before each Check or Watch of its name is answered, and no other: some
 * may be slow. Watchers are told of what later checks find. An unknown name is refused rather than watched: anyone may
 * call.
 */
export function healthService(services: readonly string[], checks: HealthChecks) {
  const known = new Map<string, boolean>()
  const changes = new EventEmitter().setMaxListeners(0)
  const nameIn = ({ service }: HealthCheckRequest): string => (services.includes(service) ? '' : service)

  /** undefined: an unknown name. */
  async function read(name: string): Promise<boolean | undefined> {
    if (!Object.hasOwn(checks, name)) return undefined
    const serving = await Promise.resolve()
      .then(checks[name])
      .catch(() => false)
    if (serving !== known.get(name)) changes.emit(name, serving)
    known.set(name, serving)
    return serving
  }

  const handlers: HealthServer = {
    check({ request }, answer) {
      void read(nameIn(request)).then((serving) => {
        if (serving === undefined) answer(UNKNOWN_NAME)
        else answer(null, toResponse(serving))
      })
    },
    watch(call) {
      const name = nameIn(call.request)
      const report = (serving: boolean) => void call.write(toResponse(serving))
      void read(name).then((serving) => {
        // Cancelled meanwhile: nothing would end the watch any more.
        if (call.cancelled) return
        if (serving === undefined) return void call.emit('error', UNKNOWN_NAME)
        report(serving)
        changes.on(name, report)
        call.on('cancelled', () => changes.off(name, report))
      })
    },
  }
  return { definition: HealthService, handlers }
}

const UNKNOWN_NAME = { code: status.NOT_FOUND, details: 'This server knows no service of that name.' }

const toResponse = (serving: boolean): HealthCheckResponse => ({ status: serving ? SERVING : NOT_SERVING })
