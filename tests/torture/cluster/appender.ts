import type { MongoClient } from 'mongodb'
import type { Cluster } from './cluster.ts'
import type { Member } from './member.ts'

/**
 * The contracts process that has the lease for appending; undefined when nobody has, or Mint has no such lease. The
 * holder is recognized by its address, or as the one process whose log names it.
 */
export async function appenderOf(cluster: Cluster, client: MongoClient): Promise<Member | undefined> {
  const leases = client.db(`${cluster.namespace}_contracts`).collection<{ _id: string; holder: string }>(LEASES)
  const lease = await leases.findOne({ _id: 'appender' }).catch(() => null)
  if (!lease?.holder) return undefined
  const { holder } = lease
  return cluster.contracts.find((one) => holder.includes(one.address) || one.log().includes(holder))
}

const LEASES = 'leased_checkpoints'
