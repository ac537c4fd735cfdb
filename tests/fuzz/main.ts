/**
 * `npm run fuzz -- --minutes 10 --seed 7`: random and mutated requests over REST, both gRPC ports and the call stream of a
 * Mint of its own. Ends with 1 when anything was wrong. Linux only, for the memory.
 */
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz } from './fuzz.ts'

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
process.exitCode = result.findings.length === 0 ? 0 : 1
