import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeOn, type Engine, goProgram, kafkaEngine, mongodProgram } from '../support/engines.ts'
import { waitFor } from '../support/wait-for.ts'
import { missingForNetwork } from './cluster/network.ts'
import type { Scene } from './faults/fault.ts'
import { type RunOptions, torture } from './run.ts'
import { summaryOf } from './summary.ts'

export const OPERATIONS = ['create', 'edit', 'get', 'list', 'find'] as const

const noNetwork = missingForNetwork()
const engines = [kafkaEngine(), goProgram(), ...(noNetwork === undefined ? [] : [{ missing: noNetwork }])]
const needed: Engine = engines.find((engine) => 'missing' in engine) ?? mongodProgram()

type Chosen = Pick<RunOptions, 'faults' | 'defect'>

/** Registers a suite whose runs differ only in their faults and defects. A run fails unless it gives `expected`. */
export function describeTorture(
  title: string,
  suite: (run: (chosen: Chosen, expected?: readonly RegExp[]) => ReturnType<typeof torture>) => void,
): void {
  describeOn(needed, title, (mongod) => {
    suite(async (chosen, expected = []) => {
      const folder = mkdtempSync(join(tmpdir(), 'mint-torture-'))
      const ran = await torture({
        ...chosen,
        folder,
        mongodProgram: mongod,
        kafkaBrokers: process.env.KAFKA_BROKERS ?? '',
        go: urlOf(goProgram()),
        seed: 7,
        operationsPerSecond: 100,
        say: () => undefined,
      })
      const found = ran.violations.join('\n')
      const kept = `${found}\nhistory and logs are in ${folder}\n${summaryOf(ran.history).join('\n')}`
      if (expected.length === 0) assert.equal(found, '', kept)
      for (const violation of expected) assert.match(found, violation, kept)
      rmSync(folder, { recursive: true })
      return ran
    })
  })
}

/** Waits until more than this many operations of each type have ended. */
export async function untilMoreHaveEnded({ ended }: Scene, count: number): Promise<void> {
  const what = `more than ${count} operations of each type`
  await waitFor(() => OPERATIONS.every((type) => ended(type) > count), { timeout: 60_000, what })
}

function urlOf(engine: Engine): string {
  return 'url' in engine ? engine.url : ''
}
