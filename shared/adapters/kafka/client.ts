import { connect, type Socket } from 'node:net'
import { type ISocketFactory, Kafka, type LogEntry, logLevel } from 'kafkajs'
import type { Logger } from '../../logger.ts'
import { mendRequestQueue } from './driver-mending.ts'
import type { Reachability } from './reachability.ts'

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
export interface KafkaClient {
  readonly kafka: Kafka
  /**
   * Cuts every connection, and whatever still tries to reach Kafka gives up at its next try. The driver itself stops
   * neither its retries, which here go on for ever, nor a consumer that is just joining its group.
   */
  end(): void
}

export interface KafkaClientOptions {
  /** Addresses (`host:port`) to find the cluster by. */
  readonly brokers: readonly string[]
  /** Told of every try to connect. */
  readonly reachability: Reachability
  readonly logger: Logger
}

/** A client that connects when something is asked of it. */
export function createKafkaClient({ brokers, reachability, logger }: KafkaClientOptions): KafkaClient {
  mendRequestQueue()
  const sockets = createEndableSockets(reachability)
  const kafka = new Kafka({
    clientId: 'mint',
    // The driver asks again for each try to connect, and an empty list is the one error after which it gives up.
    brokers: () => (sockets.ended() ? [] : [...brokers]),
    socketFactory: sockets.open,
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: RETRY_FOR_EVER,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => writeTo(logger, entry),
  })
  return { kafka, end: sockets.end }
}

/** Connections that can all be cut at once; none is opened after that. */
function createEndableSockets(reachability: Reachability) {
  const open = new Set<Socket>()
  let ended = false
  const openSocket: ISocketFactory = ({ host, port, onConnect }) => {
    if (ended) throw new Error('this client of Kafka has ended')
    const broker = `${host}:${port}`
    const socket = connect({ host, port, noDelay: true, keepAlive: true }, onConnect)
    open.add(socket)
    socket.once('connect', () => reachability.connected(broker))
    socket.on('error', (error) => !ended && reachability.failed(broker, error))
    socket.once('close', () => open.delete(socket))
    return socket
  }
  return {
    open: openSocket,
    ended: () => ended,
    end() {
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
