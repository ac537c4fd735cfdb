import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type ISocketFactory, Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Logger } from '../../runtime/log/logger.ts'
import { mendRequestQueue } from './driver-mending.ts'
import { NO_ANSWER } from './problem.ts'
import type { Reachability } from './reachability.ts'
import type { KafkaSecurity } from './security.ts'

/**
 * For ever, every 250 ms: with the driver's own settings a consumer stays away for 31 s after a broker's kill -9, with
 * these for 1 s (measured on Kafka 4.1).
 */
const RETRY_FOR_EVER = {
  retries: Number.MAX_SAFE_INTEGER,
  initialRetryTime: 250,
  maxRetryTime: 250,
  factor: 0,
  multiplier: 1,
}

/** So many tries take five seconds, for what may be over by then (a new leader is chosen) or stay (a topic is gone). */
export const TRIES_IN_FIVE_SECONDS = 20

/** A client with connections of its own. */
export type KafkaClient = ReturnType<typeof createKafkaClient>

export interface KafkaClientOptions {
  /** Addresses (`host:port`) to find the cluster by. */
  readonly brokers: readonly string[]
  /** Asked for each connection. */
  readonly security: () => KafkaSecurity
  /** Finds brokers' addresses by their names. */
  readonly lookup: LookupFunction
  /** Told of every try to connect. */
  readonly reachability: Reachability
  readonly logger: Logger
}

/** A client that connects when something is asked of it. */
export function createKafkaClient(options: KafkaClientOptions) {
  const { brokers, security, logger } = options
  mendRequestQueue()
  const sockets = createEndableSockets(options)
  const kafka = new Kafka({
    clientId: 'mint',
    // The driver asks again for each try to connect, and an empty list is the one error after which it gives up.
    brokers: () => (sockets.ended() ? [] : [...brokers]),
    socketFactory: sockets.open,
    ...saslOf(security),
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: RETRY_FOR_EVER,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => writeTo(logger, entry),
  })
  return { kafka, end: sockets.end }
}

/** The driver reads the password whenever it authenticates. */
function saslOf(security: () => KafkaSecurity): { readonly sasl?: SASLOptions } {
  const { sasl } = security()
  if (sasl === undefined) return {}
  const { mechanism, username } = sasl
  return {
    sasl: {
      mechanism: mechanism.toLowerCase() as 'plain',
      username,
      get password() {
        return security().sasl?.password ?? ''
      },
    },
  }
}

/** Connections that can all be cut at once; none is opened after that. */
function createEndableSockets({ security, lookup, reachability }: KafkaClientOptions) {
  const open = new Set<Socket>()
  let ended = false
  const openSocket: ISocketFactory = ({ host, port, onConnect }) => {
    if (ended) throw new Error('this client of Kafka has ended')
    const broker = `${host}:${port}`
    const where = { host, port, lookup, noDelay: true, keepAlive: true }
    const { tls } = security()
    const name = isIP(host) ? {} : { servername: host }
    const socket = tls ? connectTls({ ...where, ...name, ...tls }, onConnect) : connect(where, onConnect)
    open.add(socket)
    let answers = 0
    const failed = (error: Error): void => void (ended || reachability.failed(broker, error))
    // A broker that expects TLS or a user closes the connection after its first answer.
    socket.on('data', () => ++answers === 2 && reachability.connected(broker))
    socket.once('end', () => answers < 2 && !socket.writableEnded && failed(new Error(NO_ANSWER)))
    socket.on('error', failed)
    socket.once('close', () => open.delete(socket))
    return socket
  }
  return {
    open: openSocket,
    ended: () => ended,
    /**
     * Cuts every connection, and whatever still tries to reach Kafka gives up at its next try. The driver itself stops
     * neither its retries, which here go on for ever, nor a consumer that is just joining its group.
     */
    end(): void {
      ended = true
      for (const socket of open) socket.destroy(new Error('this client of Kafka has ended'))
    },
  }
}

/** The driver calls an error what it will simply try again; only what ends a client concerns whoever reads the log. */
function writeTo(logger: Logger, { namespace, log }: LogEntry): void {
  const { timestamp: _, logger: __, message, ...details } = log
  logger.debug({ kafka: namespace, ...details }, message)
}
