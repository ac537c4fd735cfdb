import { describeOn, type Engine, goProgram, kafkaEngine, mongodProgram } from '../support/engines.ts'
import { waitFor } from '../support/wait-for.ts'
import { missingForNetwork } from './cluster/network.ts'
import type { Scene } from './faults/fault.ts'
import { type RunOptions, torture } from './run.ts'

export const OPERATIONS = ['create', 'edit', 'get', 'list', 'find'] as const

const noNetwork = missingForNetwork()
const engines = [kafkaEngine(), goProgram(), ...(noNetwork === undefined ? [] : [{ missing: noNetwork }])]
const needed: Engine = engines.find((engine) => 'missing' in engine) ?? mongodProgram()

type Chosen = Pick<RunOptions, 'folder' | 'faults' | 'defect'>

/** Registers a suite whose runs differ only in their faults and defects. */
export function describeTorture(
  title: string,
  suite: (run: (chosen: Chosen) => ReturnType<typeof torture>) => void,
): void {
  describeOn(needed, title, (mongod) => {
    suite((chosen) =>
      torture({
        ...chosen,
        mongodProgram: mongod,
        kafkaBrokers: process.env.KAFKA_BROKERS ?? '',
        go: urlOf(goProgram()),
        seed: 7,
        operationsPerSecond: 100,
        say: () => undefined,
      }),
    )
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
