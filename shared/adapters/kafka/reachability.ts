import type { Logger } from '../../runtime/log/logger.ts'
import { kafkaProblem } from './problem.ts'

/** Collects from several clients whether the brokers can be reached. */
export type Reachability = ReturnType<typeof createReachability>

/**
 * Logs when a broker becomes unreachable and when it is reachable again, once each, however many attempts there are.
 */
export function createReachability(logger: Logger) {
  const awaited = new Set<string>()
  return {
    connected(broker: string) {
      if (awaited.delete(broker)) logger.info({ broker }, 'Kafka is reachable')
    },
    failed(broker: string, error: Error) {
      if (awaited.has(broker)) return
      awaited.add(broker)
      const problem = kafkaProblem(error)
      logger.warn({ broker, err: error }, problem === undefined ? 'waiting for Kafka' : `waiting for Kafka: ${problem}`)
    },
  }
}
