import type { Logger } from '../../runtime/log/logger.ts'
import { kafkaProblem } from './problem.ts'

/** Notified by several clients whether they can reach the brokers. */
export type Reachability = ReturnType<typeof createReachability>

/** Logs when a broker becomes unreachable and when it is reachable again, once each, however many attempts fail. */
export function createReachability(logger: Logger) {
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
