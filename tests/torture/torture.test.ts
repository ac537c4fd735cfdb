import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeOn, type Engine, goProgram, kafkaEngine, mongodProgram } from '../support/engines.ts'
import { waitFor } from '../support/wait-for.ts'
import { missingForNetwork } from './cluster/network.ts'
import { DEFECTS } from './cluster/source-change.ts'
import { SHORT_PLAN } from './faults/all.ts'
import type { Scene } from './faults/fault.ts'
import { inflict } from './faults/inflict.ts'
import { torture } from './run.ts'
import { summaryOf } from './summary.ts'

const SEED = 7
const OPERATIONS = ['create', 'edit', 'get', 'list', 'find'] as const

const noNetwork = missingForNetwork()
const engines = [kafkaEngine(), goProgram(), ...(noNetwork === undefined ? [] : [{ missing: noNetwork }])]
const needed: Engine = engines.find((engine) => 'missing' in engine) ?? mongodProgram()

describeOn(needed, 'Mint under torture', (mongod) => {
  const options = {
    mongodProgram: mongod,
    kafkaBrokers: process.env.KAFKA_BROKERS ?? '',
    go: urlOf(goProgram()),
    seed: SEED,
    operationsPerSecond: 100,
    say: () => undefined,
  }

  it('gives no wrong answer while a process is killed and the primary cut off, frozen and stepped down', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mint-torture-'))
    const { history, violations } = await torture({
      ...options,
      folder,
      async faults(scene) {
        for (const kind of SHORT_PLAN) await inflict(scene, kind, () => undefined)
        // This proves something only if clients made progress, during the faults and altogether.
        assert.ok(OPERATIONS.every((type) => scene.ended(type) > 0))
        await untilMoreHaveEnded(scene, 100)
      },
    })
    const kept = `${violations.length} violations; history and logs are in ${folder}\n${summaryOf(history).join('\n')}`
    assert.deepEqual(violations, [], kept)
    rmSync(folder, { recursive: true })
    assert.deepEqual(
      history.fault.map(({ name }) => name),
      SHORT_PLAN.map(({ name }) => name),
    )
  }).timeout(240_000)

  it('is caught if its reads do not wait for the writes of others', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mint-torture-'))
    const { violations } = await torture({
      ...options,
      folder,
      defect: DEFECTS['stale-reads'],
      faults: (scene) => untilMoreHaveEnded(scene, 50),
    })
    rmSync(folder, { recursive: true })
    assert.match(violations.join('\n'), /contract \d+: not linearizable/)
    assert.match(violations.join('\n'), /the list .* (?:lacks contract|has a total of)/)
  }).timeout(180_000)
})

/** Waits until more than so many operations of each type have ended. */
async function untilMoreHaveEnded({ ended }: Scene, count: number): Promise<void> {
  const what = `more than ${count} operations of each type`
  await waitFor(() => OPERATIONS.every((type) => ended(type) > count), { timeout: 60_000, what })
}

function urlOf(engine: Engine): string {
  return 'url' in engine ? engine.url : ''
}
