import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Host, loopback } from './hosts.ts'
import { waitFor } from './wait-for.ts'

/** Registers a suite that needs such limits; where they can't be set, prints one line that the suite is skipped. */
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

/** The files of control groups, versions 1 and 2. */
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

/** Runs a command after it has joined a group. */
const JOINING = ['sh', '-c', 'echo $$ >"$0" && exec "$@"'] as const

/** Makes one of this many megabytes (2^20 bytes, as in docker-compose.yml), without swap. Throws if this user can't. */
export function limitedHost(megabytes: number) {
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
    command: ((program, args) => [...JOINING, file('cgroup.procs'), program, ...args]) satisfies Host['command'],
    /** The peak memory in use, in megabytes (10^6 bytes). */
    peakMegabytes: () => Number(read(version.peak)) / 1e6,
    /** Frees the kernel's page cache, which it would otherwise free only at the limit. */
    dropFileCache() {
      try {
        writeFileSync(file(version.reclaim.file), version.reclaim.value)
      } catch (error) {
        // Version 2 frees what it can, and reports an error if that is less than was asked for.
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      }
    },
    /** How many of its processes the kernel has killed for lack of memory. */
    kills: () => Number(/^oom_kill (\d+)/m.exec(read(version.events))?.[1]),
    /** No process may still run in it. */
    async remove() {
      // The kernel removes a process shortly after its parent learns of its exit.
      await waitFor(() => rmdirSync(folder) === undefined, { what: `${folder} to be empty` })
    },
  }
}

/**
 * A control group that limits its processes' total memory: this machine with a container's limit. The kernel kills
 * processes that exceed it, and Node derives V8's heap limit from it, as in a container.
 */
export type LimitedHost = ReturnType<typeof limitedHost>
