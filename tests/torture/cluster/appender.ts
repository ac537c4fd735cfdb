import type { Db, MongoClient } from 'mongodb'
import { waitFor } from '../../support/wait-for.ts'
import type { Cluster } from './cluster.ts'
import type { Member } from './member.ts'

/** The contracts process that holds the lease for appending; undefined if none does, or Mint has no such lease. */
export async function appenderOf(cluster: Cluster, client: MongoClient): Promise<Member | undefined> {
  try {
    const db = client.db(`${cluster.namespace}_contracts`)
    const address = await leaseholderOf(db, 'appender')
    return cluster.contracts.find(({ host }) => host.address === address)
  } catch {
    // During an election no member answers.
    return undefined
  }
}

const LEASES = 'leased_checkpoints'
/** Longer than a holder takes to renew its lease, in milliseconds. */
const RENEWAL_TIMEOUT = 2_000

/**
 * The address of the process that holds a lease. The holder's name in the lease doesn't say where it runs, so mongod's
 * profiler shows from where the lease is renewed.
 */
async function leaseholderOf(db: Db, lease: string): Promise<string | undefined> {
  const leases = db.collection<{ _id: string; holder: string }>(LEASES)
  const isHeld = { _id: lease, holder: { $ne: '' }, $expr: { $gt: ['$expiresAt', '$$NOW'] } }
  if ((await leases.findOne(isHeld)) === null) return undefined
  const renewals = { ns: `${db.databaseName}.${LEASES}`, op: 'update', nMatched: 1, 'command.q._id': lease }
  await db.command({ profile: 1, filter: renewals })
  try {
    const profile = db.collection<{ client: string }>('system.profile')
    const renewal = () => profile.findOne(renewals, { sort: { ts: -1 } })
    return (await waitFor(renewal, { timeout: RENEWAL_TIMEOUT, what: 'a renewal of the lease', every: 50 })).client
  } finally {
    await db.command({ profile: 0, filter: 'unset' })
    await db.collection('system.profile').drop()
  }
}
