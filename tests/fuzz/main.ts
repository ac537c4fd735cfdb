/**
 * `npm run fuzz -- --minutes 10 --seed 7`: random and mutated requests over REST, both gRPC ports and the call stream of a
 * Mint of its own. Exits with 1 if anything was wrong. Linux only, for the memory.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'

/** The share of a normal caller's calls that may take over a second. */
const SLOW_SHARE = 0.02

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${randomInt(1_000_000)}` },
    secret: { type: 'string' },
  },
})
console.log(`seed ${values.seed}, ${values.minutes} minutes`)
const environment: Record<string, string> = values.secret === undefined ? {} : { SERVICE_SECRET: values.secret }
const result = await fuzz({ seed: Number(values.seed), milliseconds: Number(values.minutes) * 60_000, environment })
console.log(result)
// Only when run by hand: in the test suite, other tests use the machine too.
const isSlow = result.slowShare > SLOW_SHARE
if (isSlow) console.log(`more than ${SLOW_SHARE * 100} % of a normal caller's calls took over a second`)
process.exitCode = result.findings.length === 0 && !isSlow ? 0 : 1
