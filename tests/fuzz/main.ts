/**
 * `npm run fuzz -- --minutes 10 --seed 7`: starts a Mint and sends random and mutated requests over REST, both gRPC
 * ports and the call stream. With `--attacks`, attacks its memory instead, in control groups of 512 MB; `--processes`
 * then runs three processes on MONGO_URL and KAFKA_BROKERS, and `--first 17` starts at attack 17. Exits with 1 if
 * anything was wrong. Linux only, as it measures memory.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { embeddedMints, separateMints } from '../hostile/attacked-mint.ts'
import { attackInMemory } from './attacks.ts'
import { fuzz } from './fuzz.ts'

/** The proportion of a normal caller's calls that may take over a second. */
const SLOW_SHARE = 0.02
/** The limit for the 99th percentile of reading a record during attacks, in milliseconds. */
const MAX_P99 = 100

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${randomInt(1_000_000)}` },
    secret: { type: 'string' },
    attacks: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
    first: { type: 'string', default: '0' },
  },
})
const [seed, milliseconds] = [Number(values.seed), Number(values.minutes) * 60_000]
console.log(`seed ${seed}, ${values.minutes} minutes`)
// How slow others become counts only in runs by hand: in the test suite, other tests use the machine, too.
process.exitCode = (await (values.attacks ? attack() : request())) ? 0 : 1

async function request(): Promise<boolean> {
  const environment: Record<string, string> = values.secret === undefined ? {} : { SERVICE_SECRET: values.secret }
  const result = await fuzz({ seed, milliseconds, environment })
  console.log(result)
  const isSlow = result.slowShare > SLOW_SHARE
  if (isSlow) console.log(`more than ${SLOW_SHARE * 100} % of a normal caller's calls took over a second`)
  return result.findings.length === 0 && !isSlow
}

async function attack(): Promise<boolean> {
  const { MONGO_URL = '', KAFKA_BROKERS = '' } = process.env
  const mints = await (values.processes ? separateMints(MONGO_URL, KAFKA_BROKERS) : embeddedMints())
  try {
    const result = await attackInMemory({ seed, milliseconds, first: Number(values.first), mints })
    for (const finding of result.findings) console.log(finding)
    const { findings, ...figures } = result
    console.log(figures)
    const isSlow = !(figures.polite.record.p99 <= MAX_P99)
    if (isSlow) console.log(`99 of 100 records took up to ${figures.polite.record.p99} ms, more than ${MAX_P99}`)
    return findings.length === 0 && !isSlow
  } finally {
    await mints.remove()
  }
}
