import { globSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type AddableService, lazyService } from './lazy-service.ts'

const require = createRequire(import.meta.url)
const PROTO_FOLDER = fileURLToPath(new URL('../../../proto', import.meta.url))

/**
 * gRPC's reflection service in both versions that tools use (v1 and v1alpha), describing the named services. The
 * descriptors are built from the .proto files at the first request.
 */
export function reflectionServices(names: readonly string[]): readonly AddableService[] {
  return ['v1', 'v1alpha'].map((version) => {
    const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`
    return lazyService([{ path, requestStream: true, responseStream: true }], (recorder) => {
      const { ReflectionService } = require('@grpc/reflection') as typeof import('@grpc/reflection')
      const { loadSync } = require('@grpc/proto-loader') as typeof import('@grpc/proto-loader')
      const descriptors = loadSync(protoFiles(names), { includeDirs: [PROTO_FOLDER], keepCase: true })
      new ReflectionService(descriptors as never, { services: [...names] }).addToServer(recorder as never)
    })
  })
}

/** All files of the services' packages: buf's layout has the package `mint.contracts.v1` in `mint/contracts/v1`. */
function protoFiles(names: readonly string[]): string[] {
  const folders = new Set(names.map((name) => name.split('.').slice(0, -1).join('/')))
  return [...folders].flatMap((folder) => globSync(`${folder}/*.proto`, { cwd: PROTO_FOLDER }))
}
