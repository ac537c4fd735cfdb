import type { Logger } from '../../runtime/log/logger.ts'
import { kafkaProblem } from './problem.ts'

/** What the connections of several clients tell of the brokers that they try to reach. */
export type Reachability = ReturnType<typeof createReachability>

/** Says in the log when a broker can't be reached and when it can be again, once each, however often it is tried. */
export function createReachability(logger: Logger) {
  const awaited = new Set<string>()
  return {
    connected(broker: string) {
      if (awaited.delete(broker)) logger.info({ broker }, 'Kafka is there')
    },
    failed(broker: string, error: Error) {
      if (awaited.has(broker)) return
      awaited.add(broker)
      const problem = kafkaProblem(error)
      logger.warn({ broker, err: error }, problem === undefined ? 'waiting for Kafka' : `waiting for Kafka: ${problem}`)
    },
  }
}
