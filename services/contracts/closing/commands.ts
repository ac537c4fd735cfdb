import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import type { CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { decide } from './decide.ts'
import type { ClosingFields } from './events.ts'
import { type Closing, evolve } from './evolve.ts'
import { CLOSING, closingView } from './view.ts'

export type ClosingCommands = ReturnType<typeof createClosingCommands>

/** Closes and reopens the books of one database. Throws what CommandHandler throws. */
export function createClosingCommands({
  database,
  clock,
}: {
  readonly database: Database
  readonly clock: () => number
}) {
  const view = database.view(closingView)
  const handler = createCommandHandler({ events: database.events, view, decider: { decide, evolve }, clock })
  return {
    set(
      closing: ClosingFields,
      expectedVersions: readonly number[] | undefined,
      context: CommandContext,
    ): Promise<CommandOutcome<Closing, never>> {
      const command = () => ({ type: 'set', closing }) as const
      return handler.change({ id: CLOSING.id, command, expectedVersions }, context)
    },
  }
}
