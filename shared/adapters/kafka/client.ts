import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type ISocketFactory, Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Logger } from '../../runtime/log/logger.ts'
import { patchRequestQueue } from './driver-patch.ts'
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

/**
 * This many attempts take five seconds, for failures that may be temporary (a leader election) or not (a missing
 * topic).
 */
export const TRIES_IN_FIVE_SECONDS = 20

/** A client with its own connections. */
export type KafkaClient = ReturnType<typeof createKafkaClient>

export interface KafkaClientOptions {
  /** Addresses (`host:port`) for discovering the cluster. */
  readonly brokers: readonly string[]
  /** Called for each connection. */
  readonly security: () => KafkaSecurity
  /** Resolves the brokers' names. */
  readonly lookup: LookupFunction
  /** Notified of every connection attempt. */
  readonly reachability: Reachability
  readonly logger: Logger
}

/** A client that connects when first used. */
export function createKafkaClient(options: KafkaClientOptions) {
  const { brokers, security, logger } = options
  patchRequestQueue()
  const sockets = createEndableSockets(options)
  const kafka = new Kafka({
    clientId: 'mint',
    // The driver calls this for each attempt to connect, and an empty list is the one error after which it gives up.
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

/** Connections that can all be closed at once; none is opened after that. */
function createEndableSockets({ security, lookup, reachability }: KafkaClientOptions) {
  const open = new Set<Socket>()
  let ended = false
  const openSocket: ISocketFactory = ({ host, port, onConnect }) => {
    if (ended) throw new Error('this Kafka client has been closed')
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
     * Closes every connection; whatever is still trying to reach Kafka gives up at its next attempt. The driver itself
     * stops neither its retries, which here are endless, nor a consumer that is just joining its group.
     */
    end(): void {
      ended = true
      for (const socket of open) socket.destroy(new Error('this Kafka client has been closed'))
    },
  }
}

/** The driver logs as errors what it will simply retry; only errors that end a client matter to readers of the log. */
function writeTo(logger: Logger, { namespace, log }: LogEntry): void {
  const { timestamp: _, logger: __, message, ...details } = log
  logger.debug({ kafka: namespace, ...details }, message)
}
