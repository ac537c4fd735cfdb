import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Host, loopback } from './hosts.ts'
import { waitFor } from './wait-for.ts'

/**
 * A control group whose processes together may use only so much memory: this machine with a container's limit. The
 * kernel kills who needs more, and Node chooses V8's limit by it, as it does in a container.
 */
export interface LimitedHost extends Host {
  /** The most that was ever in use, in megabytes (10^6 bytes). */
  peakMegabytes(): number
  /** Frees what the kernel keeps of files, which it would otherwise free only at the limit. */
  dropFileCache(): void
  /** How many processes the kernel has killed in it for their memory. */
  kills(): number
  /** Nothing may run in it any more. */
  remove(): Promise<void>
}

/** Registers a suite that needs such limits; where none can be made it says in one line that it is left out. */
export function describeWithMemoryLimit(title: string, suite: (this: Mocha.Suite) => void): void {
  if (canLimitMemory()) describe(title, suite)
  else console.log(`left out: ${title} (no memory limits: run as root on Linux, where control groups can be made)`)
}

function canLimitMemory(): boolean {
  try {
    const host = limitedHost(64)
    rmdirSync(host.folder)
    return true
  } catch {
    return false
  }
}

/** The files of both versions of control groups. */
const [FIRST, SECOND] = [
  {
    folder: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    swap: { file: 'memory.memsw.limit_in_bytes', includesMemory: true },
    peak: 'memory.max_usage_in_bytes',
    reclaim: { file: 'memory.force_empty', value: '0' },
    events: 'memory.oom_control',
  },
  {
    folder: '/sys/fs/cgroup',
    limit: 'memory.max',
    swap: { file: 'memory.swap.max', includesMemory: false },
    peak: 'memory.peak',
    reclaim: { file: 'memory.reclaim', value: '1G' },
    events: 'memory.events',
  },
] as const

/** This many megabytes (2^20 bytes, as in docker-compose.yml), and no swap. Throws where this user can't make one. */
export function limitedHost(megabytes: number): LimitedHost & { readonly folder: string } {
  const version = existsSync(join(FIRST.folder, FIRST.limit)) ? FIRST : SECOND
  if (version === SECOND) writeFileSync(join(SECOND.folder, 'cgroup.subtree_control'), '+memory')
  const folder = join(version.folder, `mint-test-${randomUUID()}`)
  const file = (name: string): string => join(folder, name)
  const read = (name: string): string => readFileSync(file(name), 'utf8')
  mkdirSync(folder)
  const bytes = megabytes * 2 ** 20
  writeFileSync(file(version.limit), `${bytes}`)
  const { swap } = version
  // Missing where the kernel doesn't count swap.
  if (existsSync(file(swap.file))) writeFileSync(file(swap.file), `${swap.includesMemory ? bytes : 0}`)
  return {
    folder,
    address: loopback.address,
    command: (program, args) => ['sh', '-c', 'echo $$ >"$0" && exec "$@"', file('cgroup.procs'), program, ...args],
    peakMegabytes: () => Number(read(version.peak)) / 1e6,
    dropFileCache() {
      try {
        writeFileSync(file(version.reclaim.file), version.reclaim.value)
      } catch (error) {
        // The second version frees what it can, and says so if that is less than was asked for.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
    },
    kills: () => Number(/^oom_kill (\d+)/m.exec(read(version.events))?.[1]),
    async remove() {
      // The kernel is done with a process a little after its parent knows of its end.
      await waitFor(() => rmdirSync(folder) === undefined, { what: `${folder} to be empty` })
    },
  }
}
