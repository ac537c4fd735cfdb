import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from '../cluster/cluster.ts'
import type { Member } from '../cluster/member.ts'
import type { Entry, Moment } from '../history.ts'
import type { Client } from '../load/client.ts'
import type { Random } from '../random.ts'

/** What a fault is inflicted with. */
export interface Scene {
  readonly cluster: Cluster
  readonly random: Random
  readonly now: () => Moment
  readonly record: (entry: Entry) => void
  /** Does something while nobody else sends anything. */
  readonly inALull: (action: () => Promise<void>) => Promise<void>
  /** Sends what a fault needs to have sent. */
  readonly client: Client
  /** Aborted when the others have ended, for what lasts longer. */
  readonly signal: AbortSignal
  /** How many operations of a type have ended. */
  readonly ended: (type: Entry['type']) => number
  /** Answers when every gateway reaches everything again, and writes are acknowledged. */
  readonly recovered: () => Promise<void>
  /** The process that the others leave appending to, when there is one. */
  readonly appender: () => Promise<Member | undefined>
}

/** One kind of fault. */
export interface FaultKind {
  readonly name: string
  /** Two faults that disturb the same may not happen at once: a majority of mongods must be there. */
  readonly disturbs: 'mongo' | 'processes' | 'everything' | 'kafka'
  /** Does it, waits, and undoes it. Returns whom it affected. */
  readonly inflict: (scene: Scene) => Promise<string>
}

/** How long something stays as it is, in milliseconds: longer than leases and elections in most cases. */
export const forAWhile = ({ random }: Scene, least = 2_500, most = 12_000): Promise<void> =>
  pause(random.between(least, most))

/** A contracts process: every second time the one that appends. */
export async function aContractsProcess(scene: Scene): Promise<{ readonly victim: Member; readonly named: string }> {
  const { cluster, random } = scene
  const appender = await scene.appender()
  const victim = appender !== undefined && random.chance(0.5) ? appender : random.pick(cluster.contracts)
  return { victim, named: victim === appender ? `${victim.name} (appender)` : victim.name }
}

/** By which numbers callers reach Mint: the gateways, then the contracts processes. */
const doors = ({ gateways, contracts }: Cluster): readonly Member[] => [...gateways, ...contracts]

export const doorOf = (cluster: Cluster, member: Member): number => doors(cluster).indexOf(member)

export const everyDoor = (cluster: Cluster): readonly number[] => doors(cluster).map((_, number) => number)
