import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { type EventStore, StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'

/** Network failures on the way to a real event store, switched by the test. */
export interface Trouble {
  /** How many appends are still to be carried out with their answers lost. */
  losesAnswers: number
  /** How many appends are still to be lost before they arrive; to the caller this looks the same. */
  losesRequests: number
  /** Whether the network goes away once an answer has been lost. */
  goesAwayThen: boolean
  /** While true, nothing gets through. */
  away: boolean
  /** While true, others' appends wake no one. */
  deaf: boolean
}

/** A network between a service and its database that fails as the test says. */
export function troubledNetwork() {
  const trouble: Trouble = { losesAnswers: 0, losesRequests: 0, goesAwayThen: false, away: false, deaf: false }
  const between = (database: Database): Database => ({ ...database, events: troubled(database.events, trouble) })
  return { trouble, between }
}

function troubled(events: EventStore, trouble: Trouble): EventStore {
  const reached = () => {
    if (trouble.away) throw new StoreUnavailable('the network is away')
  }
  return {
    ...events,
    async append(commit) {
      reached()
      if (trouble.losesRequests > 0) {
        trouble.losesRequests--
        return { type: 'unknown', cause: new Error('the request was lost') }
      }
      const outcome = await events.append(commit)
      if (trouble.losesAnswers === 0) return outcome
      trouble.losesAnswers--
      trouble.away = trouble.goesAwayThen
      return { type: 'unknown', cause: new Error('the answer was lost') }
    },
    async readAll(after, limit) {
      reached()
      return await events.readAll(after, limit)
    },
    onAppended: (wake) => events.onAppended(() => trouble.deaf || wake()),
    async findCommit(commitId) {
      reached()
      return await events.findCommit(commitId)
    },
    async confirmedVersions(streams) {
      reached()
      return await events.confirmedVersions(streams)
    },
  }
}
