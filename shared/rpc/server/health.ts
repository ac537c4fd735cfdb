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

/** Answers whether something can be used now; false when it throws. */
export type HealthLook = () => Promise<boolean>

/** What a server says of its health. */
export type HealthReport = ReturnType<typeof createHealthReport>

/** A report that begins with whether the server answers calls from its start. */
export function createHealthReport({ serving }: { readonly serving: boolean }) {
  const known = new Map([['', serving]])
  const looks = new Map<string, HealthLook>()
  let tell = (_name: string, _serving: boolean): void => {}
  const learn = (name: string, now: boolean): void => {
    if (known.get(name) === now) return
    known.set(name, now)
    tell(name, now)
  }
  return {
    /**
     * `name`: `''` for the server as a whole and each of its services; any other name for something that it uses.
     * A look is taken anew before each Check or Watch of its name is answered.
     */
    set(name: string, now: boolean | HealthLook) {
      looks.delete(name)
      if (typeof now === 'boolean') learn(name, now)
      else looks.set(name, now)
    },
    /** Calls the listener with everything known so far, then with each change. */
    follow(listener: (name: string, serving: boolean) => void) {
      tell = listener
      for (const [name, now] of known) listener(name, now)
    },
    /** Whether the name was ever set. */
    has: (name: string) => known.has(name) || looks.has(name),
    /** Takes the look of one name alone: others may take their time. */
    async look(name: string) {
      const look = looks.get(name)
      if (look === undefined) return
      const looked = Promise.resolve().then(look)
      learn(name, await looked.catch(() => false))
    },
  }
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
    health.addToServer(lookingFirst(names, report, recorder) as never)
  })
}

/**
 * Looks before a call is answered. A name that means nothing is refused, not watched: anybody may call, and the package
 * remembers each name for good.
 */
function lookingFirst(names: readonly string[], report: HealthReport, recorder: ServiceRecorder): ServiceRecorder {
  return {
    addService(definition, handlers) {
      const looking = Object.entries(handlers).map(([name, handler]) => {
        const answer = handler as Answer
        const lookAndAnswer: Answer = (call, callback) => {
          const service = names.includes(call.request.service) ? '' : call.request.service
          if (!report.has(service)) return callback ? callback(UNKNOWN_NAME) : call.emit('error', UNKNOWN_NAME)
          void report.look(service).then(() => {
            // Of a Watch that was ended meanwhile nobody would hear again that it has ended.
            if (!call.cancelled) answer(call, callback)
          })
        }
        return [name, lookAndAnswer]
      })
      recorder.addService(definition, Object.fromEntries(looking))
    },
  }
}
