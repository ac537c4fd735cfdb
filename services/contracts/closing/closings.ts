import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { decide } from './decide.ts'
import type { ClosingFields } from './events.ts'
import { type Closing, evolve } from './evolve.ts'
import { CLOSING, closingView, readClosingEvent } from './view.ts'

/** The closing at one of its versions. */
export interface RecordedClosing extends ClosingFields {
  readonly version: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly by: string
}

export type Closings = ReturnType<typeof createClosings>

/** Closes and reopens the books of one database. Reading throws StoreUnavailable, `set` what CommandHandler throws. */
export function createClosings(database: Pick<Database, 'events' | 'view'>, clock: () => number) {
  const { events } = database
  const view = database.view(closingView)
  const handler = createCommandHandler({ events, view, decider: { decide, evolve }, clock })

  async function between(afterVersion: number, upToVersion: number): Promise<readonly RecordedClosing[]> {
    const changes = await events.readStream(CLOSING, { afterVersion, upToVersion })
    return changes.map((event) => {
      const { data, at } = readClosingEvent(event)
      return { ...data, version: event.version, at, by: event.by }
    })
  }

  const currentVersion = async (): Promise<number> => (await view.get(CLOSING.id))?.version ?? 0

  return {
    set(
      closing: ClosingFields,
      expectedVersions: readonly number[] | undefined,
      context: CommandContext,
    ): Promise<CommandOutcome<Closing, never>> {
      const command = () => ({ type: 'set', closing }) as const
      return handler.change({ id: CLOSING.id, command, expectedVersions }, context)
    },
    /** The closing at a version; undefined if there is no such version. */
    async at(version: number): Promise<RecordedClosing | undefined> {
      return (await between(version - 1, version))[0]
    },
    currentVersion,
    /** Oldest first. */
    async history({ limit, offset }: { readonly limit: number; readonly offset: number }) {
      const total = await currentVersion()
      return { closings: offset < total ? await between(offset, Math.min(offset + limit, total)) : [], total }
    },
  }
}
