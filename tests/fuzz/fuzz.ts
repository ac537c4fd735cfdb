import { setTimeout as pause } from 'node:timers/promises'
import { KINDS } from '../../shared/kinds/registry.ts'
import { peakMegabytes } from '../support/attacks.ts'
import { type MintProcess, startMint } from '../support/mint-process.ts'
import { aNewContract, type Rest, restClient } from '../support/rest.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Random, seededRandom } from '../torture/random.ts'
import type { Attack, Attempt } from './attack.ts'
import { frameAttack, grpcAttack, healthAttack } from './grpc.ts'
import { restAttack } from './rest.ts'

export interface FuzzOptions {
  readonly seed: number
  readonly milliseconds: number
  /** Added to the environment of the attacked Mint, for example a SERVICE_SECRET that must not leak. */
  readonly environment?: Readonly<Record<string, string>>
}

/** Findings, as sentences; empty if all is well. */
export interface FuzzResult {
  readonly findings: readonly string[]
  readonly attempts: number
  readonly served: number
  /** The proportion of a normal caller's calls that took over a second. */
  readonly slowShare: number
  readonly slowestMilliseconds: number
  readonly peakMegabytes: number
}

/** Concurrent attackers of each kind. */
const ATTACKERS = 4
/** More than anyone reads from one run. */
const MAX_FINDINGS = 50
/** In milliseconds. */
const SLOW_CALL = 1_000
/** The memory limit of Mint's containers. */
const MAX_MEGABYTES = 512
const READ_SCOPES = [...Object.values(KINDS).map(({ many }) => `${many}:read`), 'clients:read']

/**
 * Sends a Mint random and mutated requests, with a key that may only read, a wrong one and none, while a normal caller
 * keeps calling. Each attacker draws from its own seed, so that a seed repeats the same requests, if not their timing.
 */
export async function fuzz({ seed, milliseconds, environment = {} }: FuzzOptions): Promise<FuzzResult> {
  const folder = temporaryFolder()
  const mint = await startMint({
    dataFolder: folder.path,
    environment,
  })
  try {
    const call = restClient({ url: mint.url, key: mint.key })
    const { body } = await call('POST', '/api-keys', { name: 'Reader', scopes: READ_SCOPES })
    const secrets = [mint.key, ...Object.values(environment)]
    const attacks = await attacksOn(mint, ['', 'mint_wrong-key-of-some-length', body.key])
    const findings = new Set<string>()
    let [attempts, isOver] = [0, false]

    async function attack(kind: string, one: Attack, random: Random): Promise<void> {
      while (!isOver) {
        const attempt = await one(random)
        attempts += 1
        const wrong = wrongWith(attempt, secrets)
        if (wrong && findings.size < MAX_FINDINGS) findings.add(`${kind}: ${wrong}: ${inShort(attempt)}`)
      }
    }

    const attackers = Object.entries(attacks).flatMap(([kind, one], index) =>
      Array.from({ length: ATTACKERS }, (_, side) => attack(kind, one, seededRandom(seed + 100 * index + side))),
    )
    const caller = callNormally(call, () => isOver)
    await Promise.race([pause(milliseconds), mint.ended])
    isOver = true
    await Promise.all(attackers)
    const { times, ids, failures } = await caller
    const peak = peakMegabytes(mint.pid)
    for (const failure of failures) findings.add(`a normal caller: ${failure}`)
    if (times.length === 0) findings.add('a normal caller was never answered')
    if (peak > MAX_MEGABYTES) findings.add(`memory rose to ${Math.round(peak)} MB`)
    for (const finding of await changes(call, ids)) findings.add(finding)
    for (const line of faultsIn(mint.errors())) findings.add(`logged: ${line}`)
    return {
      findings: [...findings],
      attempts,
      served: times.length,
      slowShare: times.filter((time) => time > SLOW_CALL).length / times.length,
      slowestMilliseconds: Math.max(0, ...times),
      peakMegabytes: peak,
    }
  } finally {
    await mint.kill()
    folder.remove()
  }
}

async function attacksOn(mint: MintProcess, keys: readonly string[]): Promise<Record<string, Attack>> {
  const [contracts, businesses] = [mint.contractsAddress, mint.businessesAddress].map(portOf) as [number, number]
  return {
    REST: restAttack(portOf(mint.url), keys),
    'contracts gRPC': grpcAttack(contracts, keys),
    'businesses gRPC': grpcAttack(businesses, keys),
    'contracts health': healthAttack(contracts),
    'contracts frames': frameAttack(contracts),
    'businesses frames': frameAttack(businesses),
  }
}

const portOf = (address: string): number => Number(address.split(':').at(-1))

const inShort = ({ sent, answer }: Attempt): string =>
  [sent.toString('latin1'), answer].map((text) => JSON.stringify(text.slice(0, 600))).join(' → ')

const STACK = /\n\s+at .*:\d+:\d+|node_modules|file:\/\/\//

function wrongWith({ answer, failed }: Attempt, secrets: readonly string[]): string | undefined {
  if (failed) return 'Mint failed'
  // The documentation's pages name their own files.
  if (STACK.test(answer) && !answer.includes('swagger')) return 'an answer has a stack trace'
  if (secrets.some((secret) => answer.includes(secret))) return 'an answer has a secret'
  return undefined
}

/** Creates and reads contracts in a loop. */
async function callNormally(call: Rest, isOver: () => boolean) {
  const [times, ids, failures]: [number[], number[], string[]] = [[], [], []]
  while (!isOver()) {
    const begun = performance.now()
    const created = await call('POST', '/contracts', aNewContract({})).catch((error: Error) => error)
    const read = await call('GET', '/contracts?limit=1').catch((error: Error) => error)
    times.push(performance.now() - begun)
    if ('status' in created && created.status === 201) ids.push(created.body.id)
    else failures.push(`POST: ${'text' in created ? created.text : created}`)
    if (!('status' in read) || read.status !== 200) failures.push(`GET: ${'text' in read ? read.text : read}`)
    await pause(50)
  }
  return { times, ids, failures }
}

/** Every event must come from the normal caller: no other key may write. */
async function changes(call: Rest, ids: readonly number[]): Promise<string[]> {
  const happened: string[] = []
  for (let [after, more] = ['', true]; more; ) {
    const { body } = await call('GET', `/events?limit=1000${after && `&after=${after}`}`)
    for (const { type, subject } of body.events) happened.push(`${type} ${subject}`)
    ;({ next: after, more } = body)
  }
  const { body: keys } = await call('GET', '/api-keys')
  const own = new Set(ids.map((id) => `mint.contract.created.v1 ${id}`))
  const foreign = happened.filter((event) => !own.has(event))
  if (keys.total !== 2) foreign.push(`${keys.total} keys instead of 2`)
  if (happened.length < ids.length) foreign.push(`${happened.length} events for ${ids.length} contracts`)
  return foreign.slice(0, MAX_FINDINGS).map((event) => `not made by the normal caller: ${event}`)
}

/** What Mint logged as an error, or printed without logging it. */
function faultsIn(log: string): string[] {
  return log.split('\n').filter((line) => line !== '' && (!line.startsWith('{') || JSON.parse(line).level >= 50))
}
