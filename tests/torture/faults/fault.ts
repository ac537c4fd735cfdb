import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Member } from '../cluster/member.ts'
import type { Entry, Moment } from '../history.ts'
import type { Client } from '../load/client.ts'
import type { Random } from '../random.ts'

/** What a fault needs to be inflicted. */
export interface Scene {
  readonly cluster: Cluster
  readonly random: Random
  readonly now: () => Moment
  readonly record: (entry: Entry) => void
  /** Runs an action while no other client sends anything. */
  readonly inALull: (action: () => Promise<void>) => Promise<void>
  /** The client for requests that a fault itself makes. */
  readonly client: Client
  /** Aborted when the other faults have ended, for those that last longer. */
  readonly signal: AbortSignal
  /** How many operations of a type have ended. */
  readonly ended: (type: Entry['type']) => number
  /** Resolves when every gateway reaches everything again, and writes are acknowledged. */
  readonly recovered: () => Promise<void>
  /** The process that appends for the others, if there is one. */
  readonly appender: () => Promise<Member | undefined>
}

/** One kind of fault. */
export interface FaultKind {
  readonly name: string
  /** Two faults that disturb the same may not overlap: a majority of mongods must be up. */
  readonly disturbs: 'mongo' | 'processes' | 'everything' | 'kafka'
  /** Inflicts it, waits, and undoes it. Returns what it affected. */
  readonly inflict: (scene: Scene) => Promise<string>
}

/** Waits a random time while a fault lasts, in milliseconds: usually longer than leases and elections take. */
export const forAWhile = ({ random }: Scene, least = 2_500, most = 12_000): Promise<void> =>
  pause(random.between(least, most))

/** A random contracts process: in half of the cases the one that appends. */
export async function aContractsProcess(scene: Scene): Promise<{ readonly victim: Member; readonly named: string }> {
  const { cluster, random } = scene
  const appender = await scene.appender()
  const victim = appender !== undefined && random.chance(0.5) ? appender : random.pick(cluster.contracts)
  return { victim, named: victim === appender ? `${victim.name} (appender)` : victim.name }
}

/** What callers reach Mint by, in the order of their numbers: the gateways, then the contracts processes. */
const doors = ({ gateways, contracts }: Cluster): readonly Member[] => [...gateways, ...contracts]

export const doorOf = (cluster: Cluster, member: Member): number => doors(cluster).indexOf(member)

export const everyDoor = (cluster: Cluster): readonly number[] => doors(cluster).map((_, number) => number)
