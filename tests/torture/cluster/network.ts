import { execFile, execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Host } from '../../support/hosts.ts'

const run = promisify(execFile)
const ip = async (...args: string[]): Promise<void> => void (await run('ip', args))

/** Why such a network can't be made here; undefined if it can. It needs root and `ip` (iproute2). */
export function missingForNetwork(): string | undefined {
  const name = `mt-probe-${process.pid}`
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'pipe' })
    execFileSync('ip', ['netns', 'del', name], { stdio: 'pipe' })
    return undefined
  } catch (error) {
    return `no network namespaces: ${error instanceof Error ? error.message.trim() : error}`
  }
}

/**
 * Makes hosts on one switch, any two of which can be cut off from each other: a network namespace for each, joined by a
 * bridge in another namespace, where this machine's firewall rules, such as Docker's, don't apply. Names and addresses
 * are unique to this network.
 */
export async function createNetwork(names: readonly string[]) {
  await using ends = new AsyncDisposableStack()
  const id = `mt${process.pid.toString(36)}`
  const subnet = `10.${randomInt(64, 128)}.${randomInt(256)}`
  const bridge = `${id}-switch`
  await ip('netns', 'add', bridge)
  ends.defer(() => ip('netns', 'del', bridge))
  await ip('-n', bridge, 'link', 'add', 'switch', 'type', 'bridge')
  await ip('-n', bridge, 'link', 'set', 'switch', 'up')
  const plugIn = async (port: string, ...peer: string[]): Promise<void> => {
    await ip('-n', bridge, 'link', 'add', port, 'type', 'veth', 'peer', 'name', ...peer)
    await ip('-n', bridge, 'link', 'set', port, 'master', 'switch', 'up')
  }
  await plugIn('own', id, 'netns', String(process.pid))
  await ip('addr', 'add', `${subnet}.1/24`, 'dev', id)
  await ip('link', 'set', id, 'up')
  const made = new Map<string, NamespaceHost>()
  for (const [index, name] of names.entries()) {
    const namespace = `${id}-${name}`
    const address = `${subnet}.${10 + index}`
    await ip('netns', 'add', namespace)
    ends.defer(() => ip('netns', 'del', namespace))
    await plugIn(`port${index}`, 'eth0', 'netns', namespace)
    await ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0')
    await ip('-n', namespace, 'link', 'set', 'eth0', 'up')
    await ip('-n', namespace, 'link', 'set', 'lo', 'up')
    made.set(name, { namespace, address, command: (program, args) => within(namespace, program, args) })
  }
  const hostOf = (host: Host): NamespaceHost => {
    const found = [...made.values()].find((one) => one === host)
    if (found === undefined) throw new Error(`${host.address} is not of this network`)
    return found
  }
  const cuts = countedCuts()
  const toRemove = ends.move()
  return {
    /** This machine's address on the switch, from which every host is always reachable. */
    ownAddress: `${subnet}.1`,
    host(name: string): Host {
      const host = made.get(name)
      if (host === undefined) throw new Error(`no host ${name}`)
      return host
    },
    /** Drops every packet between two hosts, in both directions, until the returned function is called. */
    cut: (one: Host, other: Host) => cuts.cut(hostOf(one), hostOf(other)),
    remove: () => toRemove.disposeAsync(),
  }
}

interface NamespaceHost extends Host {
  readonly namespace: string
}

/** `ip` execs the program, which keeps the process id, so signals reach it. */
const within = (namespace: string, program: string, args: readonly string[]) =>
  ['ip', 'netns', 'exec', namespace, program, ...args] as const

/** An unused link-layer address on the switch: packets sent there are lost without an error. */
const UNUSED_ADDRESS = '02:00:00:00:00:01'

/** Two faults may cut the same pair of hosts, which is reconnected when both have ended. */
function countedCuts() {
  const counts = new Map<string, number>()
  const change = async (one: NamespaceHost, other: NamespaceHost, by: 1 | -1): Promise<void> => {
    const pair = [one.address, other.address].sort().join(' ')
    const before = counts.get(pair) ?? 0
    counts.set(pair, before + by)
    if (before !== (by === 1 ? 0 : 1)) return
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const neighbor = [to.address, 'dev', 'eth0']
      if (by === 1) {
        await ip('-n', from.namespace, 'neigh', 'replace', ...neighbor, 'lladdr', UNUSED_ADDRESS, 'nud', 'permanent')
      } else await ip('-n', from.namespace, 'neigh', 'del', ...neighbor)
    }
  }
  return {
    async cut(one: NamespaceHost, other: NamespaceHost) {
      await change(one, other, 1)
      return () => change(one, other, -1)
    },
  }
}
