import type { ExactNumber } from '../api/json.ts'

/** How far something that follows a log has got. */
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
  readonly unhandledMessages: number | null
  readonly deadLetters: number | null
  readonly topicProblems: readonly string[] | null
}

/** Something that is brought up to date after each change, and how far it is; null: unknown now. */
export interface Follower {
  readonly name: string
  readonly lag: Partial<Lag> | null
}

/** What those views hold that are not for search and lists. */
const VIEWS: Readonly<Record<string, string>> = { api_keys: 'API keys', closings: 'Closing' }

/** What Mint brings up to date after each change, in the words of its users. */
export function followersOf({ services, relay, unhandledMessages }: Status): readonly Follower[] {
  const views = services.flatMap(({ status }) => status?.views ?? [])
  return [
    ...views.map((lag) => ({ name: VIEWS[lag.name] ?? `Search and lists of ${lag.name}`, lag })),
    { name: 'Changes of businesses, sent to Clients', lag: relay },
    {
      name: 'Changes of businesses, applied to Clients',
      lag: unhandledMessages === null ? null : { lagEvents: unhandledMessages },
    },
  ]
}

/** The state in a sentence. */
export function summaryOf({ ready, missing }: Status): string {
  return ready ? 'Mint is ready.' : `Mint is not ready: ${list(missing)} can’t be used now.`
}

/** What an operator should know besides: states, never figures that move by themselves. */
export function findingsOf({ services, deadLetters, topicProblems }: Status): readonly string[] {
  const problems = services
    .filter(({ problem }) => problem !== null)
    .map(({ name, problem }) => `The status of ${name} is unknown: ${problem}`)
  const versions = versionsOf(services)
  return [
    ...problems,
    ...(versions.length > 1 ? [`Processes run different versions of Mint: ${list(versions)}.`] : []),
    ...(topicProblems ?? []).map(
      (problem) => `Changes of businesses can get lost on their way to Clients: ${problem}.`,
    ),
    ...(deadLetters
      ? [deadLetters === 1 ? 'One message was set aside.' : `${deadLetters} messages were set aside.`]
      : []),
  ]
}

function versionsOf(services: readonly Service[]): readonly string[] {
  return [...new Set(services.flatMap(({ status }) => status?.processes ?? []).map(({ version }) => version))].sort()
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** A lag in words that are short and as exact as anybody needs: `2 min`. */
export function durationText(seconds: ExactNumber): string {
  const value = Number(seconds)
  if (value === 0) return 'none'
  if (value < 1) return 'less than 1 s'
  const [unit, size] = UNITS.find(([, size]) => value >= 2 * size) ?? ['s', 1]
  return `${Math.floor(value / size)} ${unit}`
}

/** Each is used from two on. */
const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ['days', 86_400],
  ['h', 3_600],
  ['min', 60],
]
