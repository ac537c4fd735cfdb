import { createRequire } from 'node:module'
import { type AddableService, lazyService, type ServiceRecorder } from './lazy-service.ts'

const require = createRequire(import.meta.url)
const METHODS = [
  { path: '/grpc.health.v1.Health/Check', requestStream: false, responseStream: false },
  { path: '/grpc.health.v1.Health/Watch', requestStream: false, responseStream: true },
]

/** What a server says of its health. */
export interface HealthReport {
  /** `name`: `''` for the server as a whole and each of its services; any other name for something that it uses. */
  set(name: string, serving: boolean): void
  /** Calls the listener with everything known so far, then with each change. */
  follow(listener: (name: string, serving: boolean) => void): void
  /** Waited for before each Check is answered. */
  beforeCheck(): Promise<void>
}

export interface HealthReportOptions {
  /** Whether the server answers calls from its start. */
  readonly serving?: boolean
  /** Looks at what may have changed since, and sets it; a look that fails changes nothing. */
  readonly onCheck?: (report: Pick<HealthReport, 'set'>) => Promise<void>
}

export function createHealthReport({ serving = true, onCheck }: HealthReportOptions = {}): HealthReport {
  const known = new Map([['', serving]])
  let tell = (_name: string, _serving: boolean): void => {}
  const report = {
    set(name: string, now: boolean): void {
      if (known.get(name) === now) return
      known.set(name, now)
      tell(name, now)
    },
    follow(listener: (name: string, serving: boolean) => void): void {
      tell = listener
      for (const [name, now] of known) listener(name, now)
    },
    async beforeCheck(): Promise<void> {
      await onCheck?.(report).catch(() => undefined)
    },
  }
  return report
}

/** gRPC's standard health service: what the report says, of the server (`''`), of its services by name, and the rest. */
export function healthService(names: readonly string[], report: HealthReport): AddableService {
  return lazyService(METHODS, (recorder) => {
    const { HealthImplementation } = require('grpc-health-check') as typeof import('grpc-health-check')
    const health = new HealthImplementation()
    report.follow((name, serving) => {
      const concerned = name === '' ? ['', ...names] : [name]
      for (const each of concerned) health.setStatus(each, serving ? 'SERVING' : 'NOT_SERVING')
    })
    health.addToServer(checkingFirst(report, recorder) as never)
  })
}

/** Lets the report look before a Check is answered. */
function checkingFirst(report: HealthReport, recorder: ServiceRecorder): ServiceRecorder {
  return {
    addService(definition, handlers) {
      const check = handlers.check as (...call: unknown[]) => void
      recorder.addService(definition, {
        ...handlers,
        check: (...call: unknown[]) => void report.beforeCheck().then(() => check(...call)),
      })
    },
  }
}
