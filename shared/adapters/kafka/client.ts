import { Kafka, type LogEntry, logLevel } from 'kafkajs'
import type { Logger } from '../../logger.ts'
import { mendRequestQueue } from './driver-mending.ts'

/**
 * For ever, every 250 ms: with the driver's own settings a consumer stays away for 31 s after a broker's kill -9, with
 * these for 1 s (measured on Kafka 4.1).
 */
export const RETRY_FOR_EVER = {
  retries: Number.MAX_SAFE_INTEGER,
  initialRetryTime: 250,
  maxRetryTime: 250,
  factor: 0,
  multiplier: 1,
}

/** @param brokers addresses (`host:port`) to find the cluster by */
export function createKafkaClient(brokers: readonly string[], logger: Logger): Kafka {
  mendRequestQueue()
  return new Kafka({
    clientId: 'mint',
    brokers: [...brokers],
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: RETRY_FOR_EVER,
    logLevel: logLevel.WARN,
    logCreator: () => (entry) => writeTo(logger, entry),
  })
}

/** The driver calls an error what it will simply try again; only what ends a client concerns whoever reads the log. */
function writeTo(logger: Logger, { namespace, log }: LogEntry): void {
  const { timestamp: _, logger: __, message, ...details } = log
  logger.debug({ kafka: namespace, ...details }, message)
}
