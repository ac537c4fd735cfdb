import type { Logger } from '../../runtime/log/logger.ts'
import { kafkaProblem } from './problem.ts'

/** Collects from several clients whether the brokers can be reached. */
export interface Reachability {
  connected(broker: string): void
  failed(broker: string, error: Error): void
}

/**
 * Logs when a broker becomes unreachable and when it is reachable again, once each, however many attempts there are.
 */
export function createReachability(logger: Logger): Reachability {
  const awaited = new Set<string>()
  return {
    connected(broker) {
      if (awaited.delete(broker)) logger.info({ broker }, 'Kafka is reachable')
    },
    failed(broker, error) {
      if (awaited.has(broker)) return
      awaited.add(broker)
      const problem = kafkaProblem(error)
      logger.warn({ broker, err: error }, problem === undefined ? 'waiting for Kafka' : `waiting for Kafka: ${problem}`)
    },
  }
}
