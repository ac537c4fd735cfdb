import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Admin, type ISocketFactory, Kafka, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Logger } from '../../runtime/log/logger.ts'
import { createResolver } from '../../runtime/resolver.ts'
import { patchRequestQueue } from './driver-patch.ts'
import { explained, kafkaProblem, NO_ANSWER } from './problem.ts'
import type { KafkaSecurity } from './security.ts'

/**
 * Every 250 ms, for ever: with the driver's own settings a consumer is down for 31 s after a broker's kill -9, with
 * these for 1 s (measured on Kafka 4.1).
 */
const RETRY_FOR_EVER = {
  retries: Number.MAX_SAFE_INTEGER,
  initialRetryTime: 250,
  maxRetryTime: 250,
  factor: 0,
  multiplier: 1,
}

/** Five seconds of retries, for failures that may be temporary (a leader election) or not (a missing topic). */
export const RETRIES_IN_FIVE_SECONDS = 20

export interface KafkaClientOptions {
  /** Addresses (`host:port`) for discovering the cluster. */
  readonly brokers: readonly string[]
  /** Called for each connection. */
  readonly security: () => KafkaSecurity
  readonly logger: Logger
}

/** A client that connects when first used, and can close all its connections at once. */
export function createKafkaClient(options: KafkaClientOptions) {
  const { brokers, security, logger } = options
  patchRequestQueue()
  const sockets = createSockets(options)
  const kafka = new Kafka({
    clientId: 'mint',
    // The driver calls this for each connection attempt, and an empty list is the only error that makes it give up.
    brokers: () => (sockets.ended() ? [] : [...brokers]),
    socketFactory: sockets.open,
    ...saslOf(security),
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: RETRY_FOR_EVER,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => logAtDebug(logger, entry),
  })
  return { kafka, end: sockets.end }
}

/**
 * Queries the brokers through a new connection, which learns the current partition leaders: an existing one may use old
 * leaders for up to five minutes. Waits while Kafka is unavailable; other failures, for example a missing topic, are
 * retried for five seconds.
 */
export async function withAdmin<T>(kafka: Kafka, query: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.admin({ retry: { retries: RETRIES_IN_FIVE_SECONDS } })
  try {
    await admin.connect()
    return await query(admin)
  } catch (error) {
    throw explained(error)
  } finally {
    await admin.disconnect()
  }
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

/** Connections that can all be closed at once; afterwards none is opened. */
function createSockets({ security, logger }: KafkaClientOptions) {
  const open = new Set<Socket>()
  const lookup = createResolver()()
  const reachability = createReachability(logger)
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
     * stops neither its retries, which are endless here, nor a consumer that is just joining its group.
     */
    end(): void {
      ended = true
      for (const socket of open) socket.destroy(new Error('this Kafka client has been closed'))
    },
  }
}

/** The driver reports as errors what it simply retries; only errors that end a client matter to readers of the log. */
function logAtDebug(logger: Logger, { namespace, log }: LogEntry): void {
  const { timestamp: _, logger: __, message, ...details } = log
  logger.debug({ kafka: namespace, ...details }, message)
}

/** Logs when a broker becomes unreachable and when it is reachable again, once each, however many attempts fail. */
function createReachability(logger: Logger) {
  const unreachable = new Set<string>()
  return {
    connected(broker: string) {
      if (unreachable.delete(broker)) logger.info({ broker }, 'Kafka is reachable')
    },
    failed(broker: string, error: Error) {
      if (unreachable.has(broker)) return
      unreachable.add(broker)
      const problem = kafkaProblem(error)
      logger.warn({ broker, err: error }, problem === undefined ? 'waiting for Kafka' : `waiting for Kafka: ${problem}`)
    },
  }
}
