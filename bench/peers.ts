import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../tests/support/temporary-folder.ts'
import type { Load } from './measure/load.ts'
import { type BenchServer, startServer } from './measure/processes.ts'
import type { Contestant } from './measure/rounds.ts'
import type { Bench } from './section.ts'

const BENCH = fileURLToPath(new URL('.', import.meta.url))

/** The file of each peer. NestJS's decorators must be compiled; the others run without a build. */
const FILES = {
  'node-alone': 'peers/node-alone.ts',
  'express-memory': 'peers/express-memory.ts',
  'fastify-sqlite': 'peers/fastify-sqlite.ts',
  'nest-typeorm': 'node_modules/.cache/peers/nest/main.js',
  'emmett-sqlite': 'peers/emmett-sqlite.ts',
  'emmett-mongodb': 'peers/emmett-mongodb.ts',
  'express-mongoose': 'peers/express-mongoose.ts',
}
export type PeerName = keyof typeof FILES

/** Installs the peers' packages, if they are missing, and compiles them; takes minutes the first time. */
function preparePeers(): void {
  const inherit = { cwd: BENCH, stdio: 'inherit' } as const
  if (!existsSync(`${BENCH}node_modules/fastify`)) {
    console.log('Installing the peers’ packages in bench/ …')
    execFileSync('npm', ['ci'], inherit)
  }
  execFileSync('npx', ['--no-install', 'tsc', '-p', 'peers/tsconfig.json'], inherit)
}

/** Those that need no packages except Mint's own. */
const READY: readonly PeerName[] = ['node-alone', 'express-memory']
let prepared = false

/** Starts a peer in a new folder. Rejects if it exits before it is ready. */
export async function startPeer(name: PeerName, environment: Readonly<Record<string, string>> = {}) {
  if (!prepared && !READY.includes(name)) {
    preparePeers()
    prepared = true
  }
  const folder = temporaryFolder()
  const server = await startServer(`${BENCH}${FILES[name]}`, { DATA_DIR: folder.path, ...environment })
  return {
    ...server,
    async stop() {
      await server.stop()
      folder.remove()
    },
  } satisfies BenchServer
}

/** Starts a peer for a section; `loadOf` makes its load from its URL. */
export async function peerIn(
  { onEnd }: Bench,
  name: string,
  file: PeerName,
  loadOf: (url: string) => Load | Promise<Load>,
  environment: Readonly<Record<string, string>> = {},
): Promise<Contestant> {
  const { url, pids } = onEnd(await startPeer(file, environment))
  return { name, load: await loadOf(url), pids }
}
