/**
 * `npm run torture -- --minutes 60 --seed 7`: runs Mint as it is deployed, on its own network, under load and random
 * faults, then checks every answer. Exits with 1 if anything was wrong. The history is then kept, with `--keep`
 * always. `--check FILE` rechecks one. `--defect NAME` breaks the build, see cluster/source-change.ts. Needs
 * MONGOD_PATH (or `mongod`), KAFKA_BROKERS, Go, and root for the network.
 */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Engine, goProgram, kafkaEngine, mongodProgram } from '../support/engines.ts'
import { checkHistory } from './checks/check.ts'
import { missingForNetwork } from './cluster/network.ts'
import { DEFECTS, type SourceChange } from './cluster/source-change.ts'
import { inflictUntil } from './faults/inflict.ts'
import { readHistory } from './history.ts'
import { torture } from './run.ts'
import { summaryOf } from './summary.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: `${randomInt(1_000_000)}` },
    rate: { type: 'string', default: '150' },
    check: { type: 'string' },
    defect: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
})
const go = needed(goProgram())
if (values.check !== undefined) await checkAgain(values.check)
else await runAndCheck()

async function runAndCheck(): Promise<void> {
  const missing = missingForNetwork()
  if (missing !== undefined) needed({ missing })
  const { minutes, rate } = values
  const seed = Number(values.seed)
  const begin = performance.now()
  const say = (line: string): void =>
    console.log(`${((performance.now() - begin) / 1000).toFixed(1).padStart(7)} s  ${line}`)
  say(`seed ${seed}, ${minutes} minutes, ${rate} operations/s`)
  const brokenOff = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => brokenOff.abort())
  const { defect: name } = values
  const defect =
    name === undefined ? undefined : new Map<string, readonly SourceChange[]>(Object.entries(DEFECTS)).get(name)
  if (name !== undefined && defect === undefined) needed({ missing: `no defect ${name}: ${Object.keys(DEFECTS)}` })
  const folder = mkdtempSync(join(tmpdir(), 'mint-torture-'))
  say(`history and logs go to ${folder}`)
  const { history, historyFile, violations, checked } = await torture({
    mongodProgram: needed(mongodProgram()),
    kafkaBrokers: needed(kafkaEngine()),
    go,
    ...(defect && { defect }),
    seed,
    operationsPerSecond: Number(rate),
    faults: (scene) => inflictUntil(scene.now() + Number(minutes) * 60_000, scene, say),
    folder,
    signal: brokenOff.signal,
    say,
  })
  for (const line of summaryOf(history)) console.log(line)
  report(violations, checked)
  if (violations.length === 0 && !values.keep) return rmSync(folder, { recursive: true })
  console.log(`seed ${seed}; history and logs: ${folder}`)
  console.log(`check it again: npm run torture -- --check ${historyFile}`)
}

async function checkAgain(file: string): Promise<void> {
  const history = await readHistory(file)
  const { violations, checked } = await checkHistory(history, go)
  for (const line of summaryOf(history)) console.log(line)
  report(violations, checked)
}

function report(violations: readonly string[], checked: string): void {
  console.log(`Porcupine: ${checked}`)
  console.log(`${violations.length} violations`)
  for (const violation of violations.slice(0, 100)) console.log(`  ${violation}`)
  if (violations.length > 0) process.exitCode = 1
}

function needed(engine: Engine): string {
  if ('url' in engine) return engine.url
  console.error(`torture: ${engine.missing}`)
  process.exit(1)
}
