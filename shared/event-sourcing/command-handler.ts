import { createKeyedQueue } from '../async/keyed-queue.ts'
import { CodedError } from '../calls/errors.ts'
import { answerUnchanged } from './answer-unchanged.ts'
import { boundedRounds } from './bounded-rounds.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOutcome } from './command-outcome.ts'
import type { EarlierAnswer } from './earlier-commit.ts'
import type { DomainEvent } from './event.ts'
import { withFinalRefusal } from './final-refusal.ts'
import type { Versioned } from './ports/view.ts'
import { type CommandHandlerOptions, type LostRace, loadAggregate, recordDecision } from './record-decision.ts'

/** An aggregate about to be created. */
export interface NewAggregate<Command> {
  /** Never used before. */
  readonly id: string
  /** Called each time the command is decided. The function it returns is given the time of the events. */
  command(): Promise<(at: number) => Command>
}

/** A command for one aggregate, which may or may not exist. */
export interface CommandFor<State, Command> {
  readonly id: string
  /** Called each time the command is decided; `state` is undefined when the aggregate does not exist. */
  command(state: State | undefined): Command | Promise<Command>
  /** When present, the aggregate's version must be one of these; 0 means that it doesn't exist. */
  readonly expectedVersions?: readonly number[] | undefined
}

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
  const { view, decider, clock } = options
  const queue = createKeyedQueue()

  function create(prepare: () => Promise<NewAggregate<Command>>, context: CommandContext) {
    return withFinalRefusal(options, context, async (attempt) => {
      const target = await prepare()
      const again = boundedRounds(`create ${view.definition.category}`)
      for (;;) {
        const outcome = await createOnce(target, attempt)
        if (outcome.type === 'wrong-version') {
          throw new Error(`The new ${view.definition.category} id ${target.id} already exists.`)
        }
        if (outcome.type !== 'dependency-changed') return outcome
        if (Date.now() >= context.deadline) throw outOfTime()
        await again(`dependency ${outcome.version}`)
      }
    })
  }

  async function createOnce({ id, command: prepareCommand }: NewAggregate<Command>, context: CommandContext) {
    const commandAt = await prepareCommand()
    // From here to the append nothing is awaited: a report about a moment waits only for appends that have begun.
    const at = clock()
    const command = commandAt(at)
    const decision = decider.decide(undefined, command)
    if (decision.type === 'rejected') return await unlessDependencyChanged(decision, command)
    return await recordDecision(options, { id, before: undefined, command, events: decision.events, at }, context)
  }

  /** A rejection has no append to detect that it was decided on an outdated version of the dependency. */
  async function unlessDependencyChanged<Rejected>(rejected: Rejected, command: Command) {
    const { dependency } = options
    if (dependency === undefined) return rejected
    const version = await dependency.refresh()
    return version === dependency.of(command).version ? rejected : ({ type: 'dependency-changed', version } as const)
  }

  function change(target: CommandFor<State, Command>, context: CommandContext) {
    const { id } = target
    const decide = async (attempt: CommandContext) => {
      let before: Versioned<State> | undefined = await view.get(id)
      const again = boundedRounds(`change ${view.definition.category}`)
      for (;;) {
        if (Date.now() >= context.deadline) throw outOfTime()
        const outcome = await decideOnce(target, before, attempt)
        if (outcome.type === 'wrong-version') before = await loadAggregate(options, id, outcome.currentVersion)
        else if (outcome.type !== 'dependency-changed') return outcome
        await again(outcome.type === 'wrong-version' ? `version ${before?.version}` : `dependency ${outcome.version}`)
      }
    }
    // Refusals from here on are later than this attempt, also those while it waits for its turn.
    return withFinalRefusal({ ...options, id }, context, (attempt) => queue.run(id, () => decide(attempt)))
  }

  async function decideOnce(
    { id, command: commandOn, expectedVersions }: CommandFor<State, Command>,
    before: Versioned<State> | undefined,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Rejection> | EarlierAnswer<State> | LostRace> {
    if (before !== undefined && expectedVersions !== undefined && !expectedVersions.includes(before.version)) {
      return { type: 'precondition-failed', version: before.version }
    }
    const command = await commandOn(before?.state)
    const decision = decider.decide(before?.state, command)
    if (decision.type === 'rejected') return await unlessDependencyChanged(decision, command)
    if (before === undefined && expectedVersions !== undefined && !expectedVersions.includes(0)) {
      return { type: 'precondition-failed', version: 0 }
    }
    const at = Math.max(clock(), before?.at ?? 0)
    if (decision.events.length > 0) {
      return await recordDecision(options, { id, before, command, events: decision.events, at }, context)
    }
    if (before === undefined) throw new Error(`A command on ${id}, which does not exist, was accepted without events.`)
    return await answerUnchanged(options, { id, before, at }, context)
  }

  return { create, change }
}

function outOfTime(): CodedError {
  return new CodedError('unavailable', 'Other requests kept changing this record; nothing was written. Try again.')
}
