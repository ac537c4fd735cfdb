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

/** What a server reports about its health. */
export type HealthReport = ReturnType<typeof createHealthReport>

/** Creates a report; `serving`: whether the server can answer calls from the start. */
export function createHealthReport({ serving }: { readonly serving: boolean }) {
  const checks = new Map<string, HealthCheck>([['', async () => serving]])
  const known = new Map<string, boolean>()
  const changes = new EventEmitter().setMaxListeners(0)
  return {
    /**
     * `name`: `''` for the server as a whole and each of its services; any other name for something that it uses. The
     * check runs before each Check or Watch of its name is answered.
     */
    set: (name: string, check: HealthCheck) => void checks.set(name, check),
    /** The current state; undefined if the name was never set. Runs only this name's check: others may be slow. */
    async read(name: string) {
      const check = checks.get(name)
      if (check === undefined) return undefined
      const now = await Promise.resolve()
        .then(check)
        .catch(() => false)
      if (known.get(name) !== now) changes.emit(name, now)
      known.set(name, now)
      return now
    },
    /** Emits each change under its name. */
    changes,
  }
}

/** Emitted as a change when the server stops. */
const STOPPED = Symbol('stopped')

/**
 * gRPC's standard health service: the report of the server (`''`), of its services by name, and of other names. An
 * unknown name is refused rather than watched: anyone may call.
 */
export function healthService(names: readonly string[], report: HealthReport) {
  const nameIn = ({ service }: HealthCheckRequest): string => (names.includes(service) ? '' : service)
  const handlers: HealthServer = {
    check({ request }, answer) {
      void report.read(nameIn(request)).then((serving) => {
        if (serving === undefined) answer(NOT_FOUND)
        else answer(null, toResponse(serving))
      })
    },
    watch(call) {
      const name = nameIn(call.request)
      void report.read(name).then((serving) => {
        // Cancelled meanwhile: nothing would end the watch any more.
        if (call.cancelled) return
        if (serving === undefined) return void call.emit('error', NOT_FOUND)
        call.write(toResponse(serving))
        const onChange = (now: boolean): unknown => call.write(toResponse(now))
        const onStop = (): void => {
          call.write(toResponse(false))
          call.end()
        }
        report.changes.on(name, onChange).on(STOPPED, onStop)
        call.on('cancelled', () => report.changes.off(name, onChange).off(STOPPED, onStop))
      })
    },
  }
  /** Ends all watches, which would otherwise stay open for ever. */
  const stop = (): unknown => report.changes.emit(STOPPED)
  return { definition: HealthService, handlers, stop }
}

/** The error message for a name that the server doesn't know. */
export const UNKNOWN_NAME = 'This server knows no service of that name.'

const NOT_FOUND = { code: status.NOT_FOUND, details: UNKNOWN_NAME }

const toResponse = (serving: boolean): HealthCheckResponse => ({ status: serving ? SERVING : NOT_SERVING })
