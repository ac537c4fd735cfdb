import type { ExactNumber } from '../api/json.ts'
import { language, text, textIfAny } from '../languages/texts.ts'

/** How far something that follows a log is behind. */
export interface Lag {
  readonly position: number
  readonly lagEvents: number
  readonly lagSeconds: ExactNumber
}

export interface Process {
  readonly version: string
  readonly at: string
}

/** The status of one of Mint's services. */
export interface Service {
  readonly name: string
  readonly problem: string | null
  readonly status: {
    readonly engine: string
    readonly position: number
    readonly views: readonly (Lag & { readonly name: string })[]
    readonly processes: readonly Process[]
  } | null
}

/** The status of Mint, as the API shows it. */
export interface Status {
  readonly ready: boolean
  readonly missing: readonly string[]
  readonly services: readonly Service[]
  readonly relay: Lag | null
  /** null: contracts have no topic, or it is unknown now. */
  readonly contractsRelay: Lag | null
  readonly unhandledMessages: number | null
  readonly deadLetters: number | null
  readonly topicProblems: readonly string[] | null
  readonly contractsTopicProblems: readonly string[] | null
}

/** Something that is brought up to date after each change, and how far it is; null: unknown now. */
export interface Follower {
  readonly name: string
  readonly lag: Partial<Lag> | null
}

/** What Mint brings up to date after each change, in the words of its users. */
export function followersOf(status: Status): readonly Follower[] {
  const { services, relay, contractsRelay, unhandledMessages } = status
  const views = services.flatMap(({ status }) => status?.views ?? [])
  return [
    ...views.map((lag) => ({
      name: textIfAny(`health.view.${lag.name}`) ?? text('health.viewOf', { name: lag.name }),
      lag,
    })),
    { name: text('health.changesSent'), lag: relay },
    {
      name: text('health.changesToClients'),
      lag: unhandledMessages === null ? null : { lagEvents: unhandledMessages },
    },
    ...(contractsRelay ? [{ name: text('health.contractsSent'), lag: contractsRelay }] : []),
  ]
}

/** The state in a sentence. */
export function summaryOf({ ready, missing }: Status): string {
  return ready ? text('health.ready') : text('health.notReady', { missing: list(missing) })
}

/** What else an operator should know: states, never figures that change by themselves. */
export function findingsOf(status: Status): readonly string[] {
  const { services, unhandledMessages, deadLetters, topicProblems, contractsTopicProblems } = status
  const problems = services
    .filter(({ problem }) => problem !== null)
    .map(({ name, problem }) => text('health.statusUnknown', { name, problem: problem ?? '' }))
  const versions = versionsOf(services)
  return [
    ...problems,
    // The contracts service answers, but doesn't know.
    ...(unhandledMessages === null && deadLetters !== null ? [text('health.kafkaAway')] : []),
    ...(versions.length > 1 ? [text('health.versionsDiffer', { versions: list(versions) })] : []),
    ...(topicProblems ?? []).map((problem) => text('health.topicProblem', { problem })),
    ...(contractsTopicProblems ?? []).map((problem) => text('health.contractsTopicProblem', { problem })),
    ...(deadLetters ? [text('health.letterCount', { count: deadLetters })] : []),
  ]
}

function versionsOf(services: readonly Service[]): readonly string[] {
  return [...new Set(services.flatMap(({ status }) => status?.processes ?? []).map(({ version }) => version))].sort()
}

const list = (words: readonly string[]): string => new Intl.ListFormat(language).format(words)

/** A lag in short words, as exact as anybody needs: `2 min`. */
export function durationText(seconds: ExactNumber): string {
  const value = Number(seconds)
  if (value === 0) return text('health.noDelay')
  if (value < 1) return text('health.lessThanASecond')
  const [unit, size] = UNITS.find(([, size]) => value >= 2 * size) ?? ['second', 1]
  return new Intl.NumberFormat(language, { style: 'unit', unit }).format(Math.floor(value / size))
}

/** Each unit is used from two of it on. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const OUTCOMES = ['handled', 'set_aside_again'] as const

/** What replays did, in a sentence: the last outcome of each message, and how many are left. */
export function replayText(outcomes: ReadonlyMap<string, string>, remaining: number): string {
  const counts = OUTCOMES.flatMap((outcome) => {
    const count = [...outcomes.values()].filter((one) => one === outcome).length
    return count === 0 ? [] : [text(`health.outcome.${outcome}`, { count })]
  })
  const left = remaining === 0 ? text('health.noneLeft') : text('health.left', { count: remaining })
  if (counts.length === 0) return text('health.replayedNothing', { left })
  return text('health.replayed', { outcomes: counts.join('; '), left })
}
