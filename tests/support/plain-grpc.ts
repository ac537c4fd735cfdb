import { createRequire } from 'node:module'
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import {
  type Client,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js'
import { loadFileDescriptorSetFromBuffer, loadSync, type PackageDefinition } from '@grpc/proto-loader'
import { protoPath } from 'grpc-health-check'
import { TEST_KEY, withKey } from './grpc-access.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a client without generated code sees
type Message = any

const LOADER_OPTIONS = { longs: Number, defaults: true, oneofs: true }

/** A client of a service (`mint.contracts.v1.ClientsService`) that loads a .proto file itself, and calls with a key. */
export function clientFromProtoFile(address: string, service: string, file: string, key = TEST_KEY) {
  return plainClient(address, service, loadSync(file, { ...LOADER_OPTIONS, includeDirs: ['proto'] }), key)
}

/** A client of a service that knows only its name, and gets the rest from the server by reflection. */
export async function clientByReflection(address: string, service: string, key = TEST_KEY) {
  const [answer] = await askReflection(address, [{ fileContainingSymbol: service }], key)
  const set = new BinaryWriter()
  for (const file of answer.fileDescriptorResponse.fileDescriptorProto) set.uint32(10).bytes(file)
  const definition = loadFileDescriptorSetFromBuffer(Buffer.from(set.finish()), LOADER_OPTIONS)
  return plainClient(address, service, definition, key)
}

/** The names of the services that a server lists by reflection. */
export async function listServices(address: string, key = TEST_KEY): Promise<string[]> {
  const [answer] = await askReflection(address, [{ listServices: '' }], key)
  return answer.listServicesResponse.service.map(({ name }: { name: string }) => name).sort()
}

/** Asks gRPC's standard health service. */
export async function askHealth(address: string, service: string): Promise<string> {
  const client = plainClient(address, HEALTH, healthDefinition())
  return (await client.call('Check', { service }).finally(client.close)).status
}

/** The first message of a Watch on gRPC's standard health service. */
export async function watchHealth(address: string, service: string): Promise<string> {
  for await (const status of healthChanges(address, service)) return status
  throw new Error(`the watch of ${service} ended without a state`)
}

/** Every state of a service that it reports until it ends the watch. */
export async function* healthChanges(address: string, service: string): AsyncGenerator<string> {
  const Service = constructorOf(HEALTH, healthDefinition())
  const client = new Service(address, credentials.createInsecure()) as Message
  const stream = client.Watch({ service })
  try {
    for await (const { status } of stream) yield status
  } finally {
    // It ends with CANCELLED.
    stream.on('error', () => {}).cancel()
    client.close()
  }
}

const HEALTH = 'grpc.health.v1.Health'

function healthDefinition(): PackageDefinition {
  return loadSync(protoPath, { ...LOADER_OPTIONS, enums: String })
}

/** Asks gRPC’s standard reflection service. */
export async function askReflection(address: string, questions: readonly object[], key: string): Promise<Message[]> {
  const file = createRequire(import.meta.url).resolve(
    '@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto',
  )
  const Service = constructorOf('grpc.reflection.v1.ServerReflection', loadSync(file, LOADER_OPTIONS))
  const client = new Service(address, credentials.createInsecure()) as Message
  const stream = client.ServerReflectionInfo(Metadata.fromHttp2Headers(withKey(key)))
  for (const question of questions) stream.write(question)
  stream.end()
  const answers = await stream.toArray()
  client.close()
  return answers
}

function plainClient(address: string, service: string, definition: PackageDefinition, key?: string) {
  const Service = constructorOf(service, definition)
  const client: Client & Message = new Service(address, credentials.createInsecure())
  return {
    call: (method: string, request: object, metadata: Record<string, string> = {}): Promise<Message> =>
      new Promise((resolve, reject) => {
        const answered = (error: ServiceError | null, response: Message) => (error ? reject(error) : resolve(response))
        const headers = { ...(key !== undefined && withKey(key)), ...metadata }
        client[method](request, Metadata.fromHttp2Headers(headers), answered)
      }),
    close: () => client.close(),
  }
}

function constructorOf(service: string, definition: PackageDefinition): ServiceClientConstructor {
  const found = service.split('.').reduce((scope: Message, name) => scope[name], loadPackageDefinition(definition))
  return found as ServiceClientConstructor
}
