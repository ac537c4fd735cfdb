import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type {
  MethodDefinition,
  Server,
  ServerDuplexStream,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'

const require = createRequire(import.meta.url)
const PROTO_FOLDER = fileURLToPath(new URL('../../../proto', import.meta.url))

type Stream = ServerDuplexStream<unknown, unknown>
/** The only method of a version, as the package serves it. */
interface Loaded {
  readonly method: MethodDefinition<unknown, unknown>
  readonly handler: (stream: Stream) => void
}

/**
 * gRPC's reflection service in both versions that tools use (v1 and v1alpha), describing the named services. The first
 * request loads its package and builds the descriptors from the .proto files: both take long, and most processes never
 * need them.
 */
export function reflectionServices(names: readonly string[]) {
  let loaded: ReadonlyMap<string, Loaded> | undefined
  const find = (path: string): Loaded => {
    loaded ??= load(names)
    return loaded.get(path) as Loaded
  }
  return ['v1', 'v1alpha'].map((version) => {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    const method: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (request) => find(path).method.requestSerialize(request),
      requestDeserialize: (bytes) => find(path).method.requestDeserialize(bytes),
      responseSerialize: (response) => find(path).method.responseSerialize(response),
      responseDeserialize: (bytes) => find(path).method.responseDeserialize(bytes),
    }
    const answer = (stream: Stream): void => {
      readWhileTaken(stream)
      find(path).handler(stream)
    }
    return { definition: { [path]: method }, handlers: { [path]: answer } }
  })
}

/** Both versions of the service, by the path of their method. */
function load(names: readonly string[]): ReadonlyMap<string, Loaded> {
  const { ReflectionService } = require('@grpc/reflection') as typeof import('@grpc/reflection')
  const { loadSync } = require('@grpc/proto-loader') as typeof import('@grpc/proto-loader')
  const descriptors = loadSync(protoFiles(names), { includeDirs: [PROTO_FOLDER], keepCase: true })
  const loaded = new Map<string, Loaded>()
  /** Stands in for a server, to which the package adds itself. */
  const recorder: Pick<Server, 'addService'> = {
    addService(definition: ServiceDefinition, handlers: UntypedServiceImplementation) {
      const [method] = Object.values(definition)
      const [handler] = Object.values(handlers)
      if (method && handler) loaded.set(method.path, { method, handler: handler as Loaded['handler'] })
    },
  }
  new ReflectionService(descriptors as never, { services: [...names] }).addToServer(recorder)
  return loaded
}

/** Adds backpressure: the package answers whatever arrives, so requests are read only once the last answer is taken. */
function readWhileTaken(stream: Stream): void {
  // A stream without an error listener would end the process when the caller aborts.
  stream.on('error', () => {})
  const write = stream.write.bind(stream) as (answer: unknown, taken: () => void) => boolean
  stream.write = (answer: unknown) => {
    stream.pause()
    return write(answer, () => stream.resume())
  }
}

/** All files of the services' packages: buf's layout has the package `mint.contracts.v1` in `mint/contracts/v1`. */
function protoFiles(names: readonly string[]): string[] {
  const folders = new Set(names.map((name) => name.split('.').slice(0, -1).join('/')))
  return [...folders].flatMap((folder) => globSync(`${folder}/*.proto`, { cwd: PROTO_FOLDER }))
}
