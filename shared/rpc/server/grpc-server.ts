import { createServer, isIPv4 } from 'node:net'
import { logVerbosity, Server, type ServiceDefinition, setLogVerbosity } from '@grpc/grpc-js'
import type { CallContext } from '../../calls/call-context.ts'
import { CodedError } from '../../calls/errors.ts'
import { type Listening, listen } from '../../runtime/listen.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import { affordableConnections } from '../../runtime/process/affordable-connections.ts'
import type { WatchedCertificates } from '../../runtime/tls/watch-certificates.ts'
import type { GrpcAccess } from '../access/admission.ts'
import { createAdmission } from '../access/admission.ts'
import { accessInterceptor } from '../access/interceptor.ts'
import { type KnownSessions, MAX_STREAMS, STREAM_SETTINGS } from '../access/open-streams.ts'
import { callStreamService } from '../call-stream/server.ts'
import { serverCredentials } from '../tls-credentials.ts'
import { type AnswerCall, type AnswerMethod, type AnswerOptions, answerMethod, unaryHandler } from './answer-method.ts'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connection-limits.ts'
import { createHealthReport, type HealthReport, healthService, UNKNOWN_NAME } from './health.ts'
import { addSettings, configureHttp2 } from './inside-grpc-js.ts'
import { reflectionServices } from './reflection.ts'
import { type AnswerStream, streamHandler } from './stream-handler.ts'

/** A generated service: its grpc-js definition, and the implementation (the generated Promise interface). */
export interface GrpcService<Definition extends ServiceDefinition = ServiceDefinition> {
  readonly definition: Definition
  readonly implementation: {
    // biome-ignore lint/suspicious/noExplicitAny: each method has its own request type, known to the definition
    readonly [Method in keyof Definition]: (request: any, context?: CallContext) => Promise<unknown>
  }
  /** Whether it can answer; true by default. Until it can, callers use other replicas, if there are any. */
  readonly isReady?: () => boolean
}

/** Ties a definition to its implementation; the compiler checks that no method lacks one. */
export const grpcService = <Definition extends ServiceDefinition>(
  definition: Definition,
  implementation: GrpcService<Definition>['implementation'],
): GrpcService => ({ definition, implementation }) as unknown as GrpcService

export interface GrpcServerOptions extends AnswerOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  readonly services: readonly GrpcService[]
  /** Who may call it. */
  readonly access: GrpcAccess
  /** Whether this replica is the one that writes are fastest through; false by default. */
  readonly appends?: () => boolean
  /** The health that the server reports; serving by default. */
  readonly health?: HealthReport
  /** undefined: without encryption. */
  readonly tls?: WatchedCertificates | undefined
  /** By default 1,024 connections, each of which must speak HTTP/2 within 10 s. */
  readonly connections?: ConnectionLimits
}

const SERVER_OPTIONS = {
  // Makes clients reconnect twice a minute, so that replicas added later get calls.
  'grpc.max_connection_age_ms': 30_000,
  'grpc.max_connection_age_grace_ms': 10_000,
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 3000,
  // The longest valid request is a contract with 10,000 characters of notes.
  'grpc.max_receive_message_length': 1024 * 1024,
  // Per connection, at first; further concurrent calls wait.
  'grpc.max_concurrent_streams': MAX_STREAMS.unknown,
  // In megabytes: a connection with this much unsent data gets no further streams.
  'grpc-node.max_session_memory': 32,
}

/**
 * A client that closes its side of a connection has left. With half-open sockets, as Node's HTTP/2 servers have them, one
 * of its calls would stay open until the next ping, 10 s later.
 */
const SOCKETS = { noDelay: true }

/**
 * Serves over gRPC, with the standard health and reflection services; without `tls` for loopback or a private network
 * only. Rejects with the system's error when the port can't be used.
 */
export async function startGrpcServer(options: GrpcServerOptions) {
  const { host, port, services, access, budget, appends = () => false, logger } = options
  const report = options.health ?? createHealthReport({ serving: true })
  // What grpc-js would print is reported to the caller anyway.
  setLogVerbosity(logVerbosity.NONE)
  if (options.tls === undefined) warnOfPlainText(host, logger)
  const known: KnownSessions = new WeakMap()
  const admission = createAdmission(access, { budget, logger, known })
  const interceptors = [accessInterceptor(admission)]
  const server = new Server({ ...SERVER_OPTIONS, interceptors })
  addSettings(server, STREAM_SETTINGS)
  const streamed = new Map<string, AnswerMethod>()
  for (const service of services) addService(server, service, streamed, options)
  const isReady = (): boolean => services.every((service) => service.isReady?.() ?? true)
  const stream = callStreamService({ find: (method) => streamed.get(method), isReady, appends })
  server.addService(stream.definition, stream.handlers)
  const names = services.flatMap(({ definition }) => Object.values(definition).slice(0, 1).map(serviceName))
  const health = healthService(names, report)
  for (const { definition, handlers } of [health, ...reflectionServices(names)]) {
    server.addService(withShortRequests(definition), handlers)
  }
  const { injectConnection } = server.createConnectionInjector(serverCredentials(options.tls))
  const { max, silentMilliseconds } = options.connections ?? CONNECTION_LIMITS
  configureHttp2(
    server,
    { max: affordableConnections(max, 'connections over gRPC', logger), silentMilliseconds },
    known,
    admission,
  )
  const listening = await listen(createServer(SOCKETS, injectConnection), host, port, SOCKETS)
  const { port: bound } = listening
  return {
    port: bound,
    stop: (graceMilliseconds: number) => {
      health.stop()
      stream.close()
      return stop(server, listening, graceMilliseconds)
    },
  }
}

/** Adds a service, and to `answered` its unary methods by path, which call streams answer, too. */
function addService(
  server: Server,
  { definition, implementation }: GrpcService,
  answered: Map<string, AnswerMethod>,
  options: AnswerOptions,
): void {
  // Requests are decoded where they are answered, so that unreadable bytes are handled like any other invalid input.
  const raw = { requestDeserialize: asIs, responseSerialize: asIs }
  const methods = Object.entries(definition).map(([name, method]) => [name, { ...method, ...raw }])
  const handlers = Object.entries(definition).map(([name, method]) => {
    const call = async (request: unknown, context: CallContext) => await implementation[name]?.(request, context)
    if (method.responseStream) return [name, streamHandler(method, call as AnswerStream, options)]
    const answer = answerMethod(method, call as AnswerCall, options)
    answered.set(method.path.slice(1), answer)
    return [name, unaryHandler(answer, options)]
  })
  server.addService(Object.fromEntries(methods), Object.fromEntries(handlers))
}

/** No name is as long, in bytes. */
const MAX_SHORT_REQUEST = 8_192

/**
 * Refuses large requests for health and reflection, which anyone, or any key, may call: parsing a megabyte takes 40 ms.
 * A deserializer can't choose the status, so it returns the error for accessInterceptor to send.
 */
function withShortRequests(definition: ServiceDefinition): ServiceDefinition {
  const methods = Object.entries(definition).map(([name, method]) => {
    const requestDeserialize = (bytes: Buffer) =>
      bytes.length > MAX_SHORT_REQUEST ? new CodedError('not_found', UNKNOWN_NAME) : method.requestDeserialize(bytes)
    return [name, { ...method, requestDeserialize }]
  })
  return Object.fromEntries(methods)
}

const asIs = (bytes: Buffer): Buffer => bytes
const serviceName = ({ path }: { path: string }): string => path.split('/')[1] ?? ''

/** Accepts no more calls and finishes those in progress; whatever remains after `graceMilliseconds` is cut off. */
function stop(server: Server, listening: Listening, graceMilliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => {
      server.forceShutdown()
      resolve()
    }, graceMilliseconds)
    // It closes connections, but doesn't wait for those that it has not accepted itself.
    server.tryShutdown(() => undefined)
    void listening.close().then(() => {
      clearTimeout(force)
      resolve()
    })
  })
}

/** Warns about gRPC without encryption that is reachable from other machines. */
function warnOfPlainText(host: string, logger: Logger): void {
  if (host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))) return
  logger.warn(
    { host },
    'gRPC listens beyond this machine without TLS, so keys and data can be read in transit: set GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE, or GRPC_HOST=127.0.0.1',
  )
}
