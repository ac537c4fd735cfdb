import { repeat } from '../../async/repeat.ts'
import type { Logger } from '../../runtime/log/logger.ts'
import type { Metrics } from '../../runtime/metrics/metrics.ts'

export interface WatchedSettingsOptions {
  readonly topic: string
  /** Finds the settings by which the topic loses messages, see topic-settings.ts. */
  readonly findProblems: () => Promise<readonly string[]>
  readonly logger: Logger
  readonly metrics: Metrics
  /** Between two checks, in milliseconds. */
  readonly checkMilliseconds?: number
}

/** Between two attempts while Kafka doesn't answer, in milliseconds. */
const RETRY_INTERVAL = 5_000

/** Checks the settings of a topic at the start and then every few minutes: anybody may have made it, or change it. */
export function watchTopicSettings(options: WatchedSettingsOptions) {
  const { topic, findProblems, logger, metrics, checkMilliseconds = 3 * 60_000 } = options
  let known: readonly string[] | undefined
  let dueAt = 0

  async function check(): Promise<void> {
    if (performance.now() < dueAt) return
    const before = known?.join() ?? ''
    known = await findProblems()
    dueAt = performance.now() + checkMilliseconds
    if (known.join() === before) return
    if (known.length === 0) logger.info({ topic }, 'the settings of the topic are as they must be')
    else
      logger.warn(
        { topic, problems: known },
        'the topic can lose messages: see “A topic made elsewhere” in docs/operations.md',
      )
  }

  const help = 'Settings by which the topic can lose messages.'
  metrics.gauge({ name: 'mint_topic_problems', help, labels: { topic } }, async () => {
    if (known === undefined) throw new Error('Kafka has not answered yet')
    return known.length
  })
  const checking = repeat(check, RETRY_INTERVAL)
  return {
    /** Those found last; none before Kafka has answered. */
    problems: () => known ?? [],
    stop: checking.stop,
  }
}
