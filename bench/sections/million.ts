import { aNewContract } from '../../tests/support/rest.ts'
import { startFilled } from '../filled-mint.ts'
import { median } from '../measure/rounds.ts'
import { type BenchMint, timeOf } from '../mint.ts'
import { type Check, type Row, type SectionResult, timesRow } from '../result.ts'
import type { Bench } from '../section.ts'

const FEW = 1_000
const MANY = 1_000_000
/** How often each request is sent, one after the other, to the two Mints in turn. */
const TIMES = 60

interface Question {
  readonly what: string
  readonly method?: 'GET' | 'POST'
  readonly path: (count: number, time: number) => string
  /** How often it is sent; TIMES by default. */
  readonly times?: number
  /** The target at a million, in milliseconds. */
  readonly atMost?: number
  /** The target for the ratio of the times at a million and at a thousand. */
  readonly ratioAtMost?: number
}

/** New searches of a kind, so that each total is counted; then one of them repeatedly. */
const searches = (what: string, terms: readonly string[], atMost: number): Question[] => [
  { what: `first search ${what}`, path: (_, time) => `?search=${terms[time]}`, times: terms.length, atMost },
  { what: `the same search again, ${what}`, path: () => `?search=${terms[0]}`, atMost: 5 },
]

/** Before that of all contracts. */
const dateOf = (time: number): string => `2025-12-${`${time + 1}`.padStart(2, '0')}`
const ANY = (): string => ''
const KINDS = ['tax return', 'annual accounts', 'payroll', 'audit', 'advice', 'founding', 'estate']
const beginningsOf = (kind: string): string[] => [3, 4, 5, 6].map((length) => kind.slice(0, length).trimEnd())
const MANY_MATCH = [...new Set([...KINDS, ...KINDS.flatMap(beginningsOf)])]
const FEW_HAVE = ['rare', '7890', '34567', '1122', '23456']
const FEW_MATCH = [...FEW_HAVE, ...KINDS.flatMap((kind) => [`${kind} 1234`, `7890 ${kind}`, `rare ${kind}`])]
/** Words that many contracts have each, but fewer together. */
const MANY_WORDS = [
  ...KINDS.map((kind) => `12 ${kind}`),
  ...['pay roll audit', 'advice est', 'tax ret urn', 'a e n t', 'an ac un', '1 2 3', 'return 9 tax', 'o u n d i'],
]
const QUESTIONS: readonly Question[] = [
  { what: 'append', method: 'POST', path: () => '', ratioAtMost: 1.3 },
  { what: 'get', path: (count, time) => `/${1 + ((time * 7919) % count)}`, ratioAtMost: 3 },
  { what: 'page of 50', path: ANY, atMost: 5, ratioAtMost: 3 },
  { what: 'page of 50, offset in the middle', path: (count) => `?offset=${count / 2}`, atMost: 5 },
  { what: 'page of 50 of one client', path: () => '?clientId=00000000-0000-4000-8000-000000000007', atMost: 5 },
  ...searches('with page and total, up to 1,600 matches', FEW_MATCH, 20),
  ...searches('with page and total, 250,000 matches', MANY_MATCH, 200),
  ...searches('for several words that many have', MANY_WORDS, 200),
  ...searches('of 2 characters', ['yr', 'ud', 'dv', 'st', 'ou', 'ta', 'qq', '99', 'ro'], 200),
  {
    what: 'page of 50 from a date on, each date once',
    path: (_, time) => `?serviceDateFrom=${dateOf(time)}`,
    times: 20,
  },
  {
    what: 'first search from a date on, 250,000 matches',
    path: (_, time) => `?search=payroll&serviceDateFrom=${dateOf(time)}`,
    times: 20,
    atMost: 200,
  },
  ...searches('of 1 character', ['q', 'a', 'o', 'e', '7', 'z', 'y', '~'], 200),
]

/** How times grow with the number of contracts: requests alternate between Mints with a thousand and with a million. */
export async function measureMillion({ onEnd }: Bench): Promise<SectionResult> {
  const few = onEnd(await startFilled(FEW))
  const many = onEnd(await startFilled(MANY))
  // It starts the reader thread.
  const begun = await ask({ what: 'search', path: () => '?search=bookkeeping' }, many, MANY, 0)
  const rows: Row[] = [{ what: 'the first request after the start, a search, at 1,000,000', value: begun, unit: 'ms' }]
  const checks: Check[] = [{ what: 'start at 1,000,000', value: many.startedIn, unit: 'ms', atMost: 2_000 }]
  for (const started of [few, many]) {
    rows.push({ what: `start at ${started.count.toLocaleString('en')}`, value: started.startedIn, unit: 'ms' })
  }
  for (const question of QUESTIONS) {
    const [atFew, atMany] = await askInTurns(question, few, many)
    rows.push(timesRow(`${question.what}, at 1,000`, atFew), timesRow(`${question.what}, at 1,000,000`, atMany))
    const { what, atMost, ratioAtMost } = question
    if (atMost !== undefined) checks.push({ what: `${what}, at 1,000,000`, value: median(atMany), unit: 'ms', atMost })
    if (ratioAtMost === undefined) continue
    const value = median(atMany) / median(atFew)
    checks.push({ what: `${what}: at 1,000,000 ÷ at 1,000`, value, unit: '×', atMost: ratioAtMost })
  }
  return { title: 'From 1,000 to 1,000,000 contracts, embedded, over REST, one request at a time', rows, checks }
}

async function askInTurns(question: Question, few: BenchMint, many: BenchMint): Promise<[number[], number[]]> {
  const times: [number[], number[]] = [[], []]
  for (let time = 0; time < (question.times ?? TIMES); time++) {
    times[0].push(await ask(question, few, FEW, time))
    times[1].push(await ask(question, many, MANY, time))
  }
  return times
}

async function ask({ method = 'GET', path }: Question, mint: BenchMint, count: number, time: number): Promise<number> {
  return await timeOf(mint, method, `/contracts${path(count, time)}`, method === 'POST' ? aNewContract() : undefined)
}
