import type {
  MethodDefinition,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'

/** A service as `Server.addService` takes it. */
export interface AddableService {
  readonly definition: ServiceDefinition
  readonly handlers: UntypedServiceImplementation
}

/** The one method of grpc-js's Server that a service package calls to add itself. */
export interface ServiceRecorder {
  addService(definition: ServiceDefinition, handlers: UntypedServiceImplementation): void
}

export interface LazyMethod {
  /** As on the wire, for example `/grpc.health.v1.Health/Check`. */
  readonly path: string
  readonly requestStream: boolean
  readonly responseStream: boolean
}

type AnyHandler = (...call: unknown[]) => void
type Loaded = ReadonlyMap<string, { method: MethodDefinition<unknown, unknown>; handler: AnyHandler }>

/**
 * A service whose package is loaded at the first call rather than at start: health and reflection together take a sixth
 * of a second to load, and most processes never need them. `load` lets the package add itself to the recorder; it is
 * called once, synchronously.
 */
export function lazyService(methods: readonly LazyMethod[], load: (recorder: ServiceRecorder) => void): AddableService {
  let loaded: Loaded | undefined
  const find = (path: string) => {
    loaded ??= record(load)
    const found = loaded.get(path)
    if (!found) throw new Error(`${path} was not added by its package`)
    return found
  }
  const definition: Record<string, MethodDefinition<unknown, unknown>> = {}
  const handlers: Record<string, AnyHandler> = {}
  for (const method of methods) {
    const { path } = method
    definition[path] = {
      ...method,
      requestSerialize: (request) => find(path).method.requestSerialize(request),
      requestDeserialize: (bytes) => find(path).method.requestDeserialize(bytes),
      responseSerialize: (response) => find(path).method.responseSerialize(response),
      responseDeserialize: (bytes) => find(path).method.responseDeserialize(bytes),
    }
    handlers[path] = (...call) => {
      if (method.requestStream) readWhileTaken(call[0] as ServerDuplexStream<unknown, unknown>)
      find(path).handler(...call)
    }
  }
  return { definition, handlers: handlers as UntypedServiceImplementation }
}

/** Reads a stream no further while an answer hasn't been taken: packages answer whatever arrives. */
function readWhileTaken(stream: ServerDuplexStream<unknown, unknown>): void {
  // A stream without an error listener would end the process when the caller aborts.
  stream.on('error', () => {})
  const write = stream.write.bind(stream) as (answer: unknown, taken: () => void) => boolean
  stream.write = (answer: unknown) => {
    stream.pause()
    return write(answer, () => stream.resume())
  }
}

function record(load: (recorder: ServiceRecorder) => void): Loaded {
  const loaded = new Map<string, { method: MethodDefinition<unknown, unknown>; handler: AnyHandler }>()
  load({
    addService(definition, handlers) {
      for (const [name, method] of Object.entries(definition)) {
        const handler = handlers[name] ?? handlers[method.originalName ?? '']
        if (handler) loaded.set(method.path, { method, handler: handler as AnyHandler })
      }
    },
  })
  return loaded
}
