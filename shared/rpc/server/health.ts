import { createRequire } from 'node:module'
import { status } from '@grpc/grpc-js'
import { type AddableService, lazyService, type ServiceRecorder } from './lazy-service.ts'

const require = createRequire(import.meta.url)
const METHODS = [
  { path: '/grpc.health.v1.Health/Check', requestStream: false, responseStream: false },
  { path: '/grpc.health.v1.Health/Watch', requestStream: false, responseStream: true },
]

interface HealthCall {
  readonly request: { readonly service: string }
  readonly cancelled: boolean
  emit(event: 'error', status: typeof UNKNOWN_NAME): void
}

type Answer = (call: HealthCall, callback?: (status: typeof UNKNOWN_NAME) => void) => void

const UNKNOWN_NAME = { code: status.NOT_FOUND, details: 'This server knows no service of that name.' }

/** Checks whether something can be used now; counts as false when it throws. */
export type HealthCheck = () => Promise<boolean>

/** What a server reports about its health. */
export type HealthReport = ReturnType<typeof createHealthReport>

/** Creates a report; `serving`: whether the server can answer calls from the start. */
export function createHealthReport({ serving }: { readonly serving: boolean }) {
  const known = new Map([['', serving]])
  const checks = new Map<string, HealthCheck>()
  let notify = (_name: string, _serving: boolean): void => {}
  const update = (name: string, now: boolean): void => {
    if (known.get(name) === now) return
    known.set(name, now)
    notify(name, now)
  }
  return {
    /**
     * `name`: `''` for the server as a whole and each of its services; any other name for something that it uses. A
     * check runs anew before each Check or Watch of its name is answered.
     */
    set(name: string, now: boolean | HealthCheck) {
      checks.delete(name)
      if (typeof now === 'boolean') update(name, now)
      else checks.set(name, now)
    },
    /** Calls the listener with everything known so far, then with each change. */
    follow(listener: (name: string, serving: boolean) => void) {
      notify = listener
      for (const [name, now] of known) listener(name, now)
    },
    /** Whether the name was ever set. */
    has: (name: string) => known.has(name) || checks.has(name),
    /** Runs the check of one name only: others may be slow. */
    async check(name: string) {
      const check = checks.get(name)
      if (check === undefined) return
      const result = Promise.resolve().then(check)
      update(name, await result.catch(() => false))
    },
  }
}

/** gRPC's standard health service: the report of the server (`''`), of its services by name, and of other names. */
export function healthService(names: readonly string[], report: HealthReport): AddableService {
  return lazyService(METHODS, (recorder) => {
    const { HealthImplementation } = require('grpc-health-check') as typeof import('grpc-health-check')
    const health = new HealthImplementation()
    report.follow((name, serving) => {
      const concerned = name === '' ? ['', ...names] : [name]
      for (const each of concerned) health.setStatus(each, serving ? 'SERVING' : 'NOT_SERVING')
    })
    health.addToServer(checkingFirst(names, report, recorder) as never)
  })
}

/**
 * Runs the check before a call is answered. An unknown name is refused rather than watched: anyone may call, and the
 * package remembers each name for ever.
 */
function checkingFirst(names: readonly string[], report: HealthReport, recorder: ServiceRecorder): ServiceRecorder {
  return {
    addService(definition, handlers) {
      const checking = Object.entries(handlers).map(([name, handler]) => {
        const answer = handler as Answer
        const checkAndAnswer: Answer = (call, callback) => {
          const service = names.includes(call.request.service) ? '' : call.request.service
          if (!report.has(service)) return callback ? callback(UNKNOWN_NAME) : call.emit('error', UNKNOWN_NAME)
          void report.check(service).then(() => {
            // A Watch that was cancelled meanwhile would never be cleaned up.
            if (!call.cancelled) answer(call, callback)
          })
        }
        return [name, checkAndAnswer]
      })
      recorder.addService(definition, Object.fromEntries(checking))
    },
  }
}
