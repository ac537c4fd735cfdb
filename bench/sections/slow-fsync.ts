import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { inTurns } from '../measure/rounds.ts'
import { postLoad, startEmbedded } from '../mint.ts'
import { startPeer } from '../peers.ts'
import { ratioOf, requestRows, type SectionResult } from '../result.ts'
import { type Bench, LeftOut } from '../section.ts'

/** The same on a disk whose fsync takes 5 ms longer. */
export async function measureSlowFsync({ pace, onEnd }: Bench): Promise<SectionResult> {
  const folder = temporaryFolder()
  onEnd({ stop: async () => folder.remove() })
  const environment = { LD_PRELOAD: compileShim(folder.path) }
  const mint = onEnd(await startEmbedded({ environment }))
  const fastify = onEnd(await startPeer('fastify-sqlite', environment))
  const measured = await inTurns(
    [
      { name: 'Mint', load: postLoad(mint.url, mint.key), pids: mint.pids },
      { name: 'one fsync a request (Fastify + node:sqlite)', load: postLoad(fastify.url), pids: fastify.pids },
    ],
    pace,
  )
  return {
    title: 'Durable POST, embedded, with each fsync 5 ms slower',
    rows: requestRows(measured),
    checks: [ratioOf(measured, 'Mint', 'one fsync a request (Fastify + node:sqlite)', 8)],
  }
}

function compileShim(folder: string): string {
  if (process.platform !== 'linux') throw new LeftOut('fsync is slowed by LD_PRELOAD, which is Linux’s')
  const library = join(folder, 'slow-fsync.so')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, 'bench/slow-fsync.c', '-ldl'], { stdio: 'pipe' })
  } catch (error) {
    throw new LeftOut(`fsync is slowed by a small C library, which could not be compiled: ${(error as Error).message}`)
  }
  return library
}
