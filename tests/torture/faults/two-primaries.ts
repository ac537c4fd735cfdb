import type { Mongod, ReplicaSet } from '../../support/mongod.ts'
import { waitFor } from '../../support/wait-for.ts'
import { admin, MAX_WAIT } from './mongods.ts'

/** How long a primary doesn't notice that it is cut off, in milliseconds: longer than switching to its successor. */
const LONG_ELECTION_TIMEOUT = 5_000
/** The election timeout that test replica sets otherwise have. */
const USUAL_ELECTION_TIMEOUT = 1_500

/**
 * Prolongs the time with two primaries after `cut` has cut this one off from the other members: its successor is
 * elected immediately, as the third member already follows it, and the old primary notices late.
 */
export async function withTwoPrimaries(
  mongo: ReplicaSet,
  primary: Mongod,
  cut: (elect: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const [successor, third] = mongo.members.filter((mongod) => mongod !== primary) as [Mongod, Mongod]
  await setElectionTimeout(mongo, LONG_ELECTION_TIMEOUT)
  await admin(third, async (client) => {
    const db = client.db('admin')
    const follows = async (): Promise<boolean> => {
      const { syncSourceHost } = await db.command({ replSetGetStatus: 1 })
      if (syncSourceHost !== successor.address) await db.command({ replSetSyncFrom: successor.address })
      return syncSourceHost === successor.address
    }
    await waitFor(follows, { timeout: MAX_WAIT, what: 'the third member to follow the successor', every: 100 })
  })
  const stepUp = () => admin(successor, (client) => client.db('admin').command({ replSetStepUp: 1 }))
  await cut(async () => {
    await waitFor(stepUp, { timeout: MAX_WAIT, what: 'the successor to be elected', every: 50 })
  })
  await setElectionTimeout(mongo, USUAL_ELECTION_TIMEOUT)
}

async function setElectionTimeout(mongo: ReplicaSet, milliseconds: number): Promise<void> {
  const reconfigure = async (): Promise<boolean> =>
    admin(await mongo.primary(), async (client) => {
      const db = client.db('admin')
      const { config } = await db.command({ replSetGetConfig: 1 })
      const settings = { ...config.settings, electionTimeoutMillis: milliseconds }
      await db.command({ replSetReconfig: { ...config, version: config.version + 1, settings } })
      return true
    })
  await waitFor(reconfigure, { timeout: MAX_WAIT, what: 'another election timeout', every: 100 })
}
