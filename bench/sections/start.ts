import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { withoutSettings } from '../../tests/support/mint-process.ts'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { residentMegabytes } from '../measure/processes.ts'
import { median } from '../measure/rounds.ts'
import { startEmbedded, startSeparate } from '../mint.ts'
import { type Check, type Row, type SectionResult, timesRow } from '../result.ts'
import type { Bench } from '../section.ts'

const STARTS = 7
/** How long a process is left without requests before its memory is read. */
const IDLE_MILLISECONDS = 3_000

/** Start times and idle memory. */
export async function measureStart({ engines, onEnd }: Bench): Promise<SectionResult> {
  const byNpm: number[] = []
  const byNode: number[] = []
  // The first fills the compile cache.
  for (let count = 0; count <= STARTS; count++) {
    const times = [await startOnce('npm', ['start']), await startOnce(process.execPath, ['cli/launch.js', 'start'])]
    if (count === 0) continue
    byNpm.push(times[0] ?? Number.NaN)
    byNode.push(times[1] ?? Number.NaN)
  }
  const embedded = onEnd(await startEmbedded())
  // The first start fills the compile cache, and the second uses it.
  if (engines) await (await startSeparate(engines)).stop()
  const separate = engines && onEnd(await startSeparate(engines))
  await pause(IDLE_MILLISECONDS)
  const memory = [
    { what: 'idle memory, embedded', megabytes: residentMegabytes(embedded.pids[0] ?? 0), atMost: 140 },
    ...(separate?.names ?? []).map((name, index) => ({
      what: `idle memory, ${name} alone`,
      megabytes: residentMegabytes(separate?.pids[index] ?? 0),
      atMost: 130,
    })),
  ]
  return {
    title: 'Start and idle memory',
    rows: [
      timesRow('`npm start` to the first answer', byNpm, 's'),
      timesRow('node’s start to the first answer', byNode, 's'),
      ...memory.map(({ what, megabytes }): Row => ({ what, value: megabytes, unit: 'MB' })),
    ],
    checks: [
      { what: '`npm start` to the first answer', value: median(byNpm), unit: 's', atMost: 0.9 },
      { what: 'node’s start to the first answer', value: median(byNode), unit: 's', atMost: 0.6 },
      ...memory.map(({ what, megabytes, atMost }): Check => ({ what, value: megabytes, unit: 'MB', atMost })),
    ],
    notes: separate ? [] : ['Separate processes are left out: MONGO_URL and KAFKA_BROKERS are not both set.'],
  }
}

/** Seconds from the start of a command to Mint's first answer, in a new folder. */
async function startOnce(command: string, args: readonly string[]): Promise<number> {
  const folder = temporaryFolder()
  const ports = { PORT: '0', CONTRACTS_PORT: '0', BUSINESSES_PORT: '0', METRICS_PORT: '0' }
  const begun = performance.now()
  const child = spawn(command, args, {
    env: { ...withoutSettings(), ...ports, DATA_DIR: folder.path },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (/ready on \S+\s/.test(output)) break
  }
  const url = /ready on (\S+)/.exec(output)?.[1]
  if (url === undefined) throw new Error(`${command} ${args.join(' ')} ended before it was ready: ${output}`)
  await fetch(`${url}/healthz`)
  const seconds = (performance.now() - begun) / 1000
  child.kill('SIGTERM')
  await ended
  folder.remove()
  return seconds
}
