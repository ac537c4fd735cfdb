import { createKeyedQueue } from '../async/keyed-queue.ts'
import { CodedError } from '../calls/errors.ts'
import { boundedRounds } from './bounded-rounds.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOutcome } from './command-outcome.ts'
import { type CommandFor, changeOnce, createOnce, type NewAggregate } from './decide-once.ts'
import type { DomainEvent } from './event.ts'
import { withFinalRefusal } from './final-refusal.ts'
import type { Versioned } from './ports/view.ts'
import { type CommandHandlerOptions, loadAggregate } from './record-decision.ts'

/**
 * Executes commands on one kind of aggregate. Both methods throw StoreUnavailable when nothing was written, and
 * CodedError `unavailable` (still losing races at the deadline) or `outcome_unknown`.
 *
 * Every outcome is final. Unless this is the first attempt with its commitId (`isNewCommit`), it is recorded under the
 * commitId, also when nothing changed or the command was refused, so that no other attempt is carried out afterwards.
 * With a requestHash in the context, an earlier commit with the same commitId answers before anything is decided.
 */
export interface CommandHandler<State, Command, Rejection> {
  /** `prepare` is called only when no earlier commit answers, so no number is wasted. */
  create(
    prepare: () => Promise<NewAggregate<Command>>,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Rejection>>
  /** Commands for one aggregate run one at a time; one that loses a race to another process is decided again. */
  change(target: CommandFor<State, Command>, context: CommandContext): Promise<CommandOutcome<State, Rejection>>
}

/** Creates a handler with its own queue of commands in progress. */
export function createCommandHandler<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
): CommandHandler<State, Command, Rejection> {
  const { category } = options.view.definition
  const queue = createKeyedQueue()

  async function create(target: NewAggregate<Command>, attempt: CommandContext) {
    const again = boundedRounds(`create ${category}`)
    for (;;) {
      const outcome = await createOnce(options, target, attempt)
      if (outcome.type === 'wrong-version') throw new Error(`The new ${category} id ${target.id} already exists.`)
      if (outcome.type !== 'dependency-changed') return outcome
      if (Date.now() >= attempt.deadline) throw outOfTime()
      await again(`dependency ${outcome.version}`)
    }
  }

  async function change(target: CommandFor<State, Command>, attempt: CommandContext) {
    let before: Versioned<State> | undefined = await options.view.get(target.id)
    const again = boundedRounds(`change ${category}`)
    for (;;) {
      if (Date.now() >= attempt.deadline) throw outOfTime()
      const outcome = await changeOnce(options, target, before, attempt)
      if (outcome.type === 'wrong-version') before = await loadAggregate(options, target.id, outcome.currentVersion)
      else if (outcome.type !== 'dependency-changed') return outcome
      await again(outcome.type === 'wrong-version' ? `version ${before?.version}` : `dependency ${outcome.version}`)
    }
  }

  return {
    create: (prepare, context) =>
      withFinalRefusal(options, context, async (attempt) => create(await prepare(), attempt)),
    // Refusals from here on are later than this attempt, also those while it waits for its turn.
    change: (target, context) =>
      withFinalRefusal({ ...options, id: target.id }, context, (attempt) =>
        queue.run(target.id, () => change(target, attempt)),
      ),
  }
}

function outOfTime(): CodedError {
  return new CodedError('unavailable', 'Other requests kept changing this record; nothing was written. Try again.')
}
