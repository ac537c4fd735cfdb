import { CodedError } from '../calls/errors.ts'
import { createLanes } from '../calls/lanes.ts'
import { boundedRounds } from './bounded-rounds.ts'
import type { CommandContext } from './command-context.ts'
import type { EarlierAnswer } from './earlier-commit.ts'
import type { DomainEvent, StreamName } from './event.ts'
import { withFinalRefusal } from './final-refusal.ts'
import type { CommandOutcome } from './outcomes.ts'
import type { StreamVersion } from './ports/event-store.ts'
import type { Versioned } from './ports/view.ts'
import { answerUnchanged, type CommandHandlerOptions, type LostRace, recordDecision } from './record-decision.ts'

/**
 * Executes commands on one kind of aggregate. Both methods throw StoreUnavailable when nothing was written, and
 * CodedError `unavailable` (still losing races at the deadline) or `outcome_unknown`.
 *
 * Every outcome is final: unless this is the first attempt with its commitId (`isNewCommit`), it is recorded under the
 * commitId, even if nothing changed or the command was refused, so that no other attempt is executed later. If the
 * context has a requestHash and the log has the commitId, the first answer is repeated and nothing is decided.
 */
export interface CommandHandler<State, Command, Rejection> {
  /** `prepare` is only called if there is no earlier answer, so that no id is wasted. */
  create(
    prepare: () => Promise<NewAggregate<Command>>,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Rejection>>
  /** Commands on one aggregate run one at a time; a command that loses a race to another process is decided again. */
  change(target: CommandFor<State, Command>, context: CommandContext): Promise<CommandOutcome<State, Rejection>>
}

/** Creates a handler with its own lanes, one for each aggregate with commands in progress. */
export function createCommandHandler<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
): CommandHandler<State, Command, Rejection> {
  const { category } = options.view.definition
  const oneAtATime = createLanes(1)

  async function create(target: NewAggregate<Command>, attempt: CommandContext) {
    const again = boundedRounds(`create ${category}`)
    for (;;) {
      const outcome = await createOnce(options, target, attempt)
      if (outcome.type === 'wrong-version') throw new Error(`The new ${category} id ${target.id} already exists.`)
      if (outcome.type !== 'dependency-changed') return outcome
      if (Date.now() >= attempt.deadline) throw outOfTime()
      await again(progressOf(outcome))
    }
  }

  async function change(target: CommandFor<State, Command>, attempt: CommandContext) {
    const { initial } = options.view.definition
    const unwritten = initial === undefined ? undefined : { state: initial, version: 0, at: 0 }
    const again = boundedRounds(`change ${category}`)
    for (;;) {
      // Read again in each round, to see the change that made the previous one lose its race.
      const before = (await options.view.get(target.id)) ?? unwritten
      if (Date.now() >= attempt.deadline) throw outOfTime()
      const outcome = await changeOnce(options, target, before, attempt)
      if (outcome.type !== 'wrong-version' && outcome.type !== 'dependency-changed') return outcome
      await again(outcome.type === 'wrong-version' ? `version ${outcome.currentVersion}` : progressOf(outcome))
    }
  }

  return {
    create: (prepare, context) =>
      withFinalRefusal(options, context, async (attempt) => create(await prepare(), attempt)),
    // Any refusal from here on is later than this attempt, including while it waits for its turn.
    change: (target, context) =>
      withFinalRefusal({ ...options, id: target.id }, context, (attempt) =>
        oneAtATime(target.id, () => change(target, attempt)),
      ),
  }
}

function outOfTime(): CodedError {
  return new CodedError('unavailable', 'Other requests kept changing this record; nothing was written. Try again.')
}

/** An aggregate about to be created. */
interface NewAggregate<Command> {
  /** Never used before. */
  readonly id: string
  /** Called each time the command is decided. Returns a function of the time of the events. */
  command(): Promise<(at: number) => Command>
}

/** A command for one aggregate, which may or may not exist. */
interface CommandFor<State, Command> {
  readonly id: string
  /** Called each time the command is decided; `state` is undefined when the aggregate does not exist. */
  command(state: State | undefined): Command | Promise<Command>
  /** When present, the aggregate's version must be one of these; 0 means that it doesn't exist. */
  readonly expectedVersions?: readonly number[] | undefined
}

/** The result of deciding a command once; after a lost race, nothing was written. */
type DecidedOnce<State, Rejection> = CommandOutcome<State, Rejection> | EarlierAnswer<State> | LostRace

/** Decides the creation of an aggregate, and records it. */
async function createOnce<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
  { id, command: prepareCommand }: NewAggregate<Command>,
  context: CommandContext,
): Promise<DecidedOnce<State, Rejection>> {
  const commandAt = await prepareCommand()
  // Nothing may be awaited from here to the append: a report as of a moment only waits for appends that have begun.
  const at = options.clock()
  const command = commandAt(at)
  const decision = options.decider.decide(undefined, command)
  if (decision.type === 'rejected') return await unlessDependencyChanged(options, decision, command)
  return await recordDecision(options, { id, before: undefined, command, events: decision.events, at }, context)
}

/** Decides a command on the aggregate in the state `before`, and records the decision, even if nothing changes. */
async function changeOnce<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
  { id, command: commandOn, expectedVersions }: CommandFor<State, Command>,
  before: Versioned<State> | undefined,
  context: CommandContext,
): Promise<DecidedOnce<State, Rejection>> {
  const version = before?.version ?? 0
  const isExpected = expectedVersions?.includes(version) ?? true
  if (before && !isExpected) return { type: 'precondition-failed', version }
  const command = await commandOn(before?.state)
  const decision = options.decider.decide(before?.state, command)
  if (decision.type === 'rejected') return await unlessDependencyChanged(options, decision, command)
  // After deciding, so that a missing aggregate is reported before its version.
  if (!isExpected) return { type: 'precondition-failed', version }
  const at = Math.max(options.clock(), before?.at ?? 0)
  if (before && decision.events.length === 0) return await answerUnchanged(options, { id, before, at }, context)
  return await recordDecision(options, { id, before, command, events: decision.events, at }, context)
}

/** What must differ when a command is decided again; otherwise it would be retried for ever. */
const progressOf = ({ versions }: Extract<LostRace, { type: 'dependency-changed' }>): string =>
  `dependencies ${versions.map(({ version }) => version).join()}`

/** Checks the dependencies of a rejection, which has no append to detect that they were out of date. */
async function unlessDependencyChanged<State, Command, Event extends DomainEvent, Rejection, Rejected>(
  { dependency }: CommandHandlerOptions<State, Command, Event, Rejection>,
  rejected: Rejected,
  command: Command,
): Promise<Rejected | LostRace> {
  if (dependency === undefined) return rejected
  const versions = await dependency.refresh()
  const isCurrent = ({ stream, version }: StreamVersion) =>
    versions.some((now) => isSameStream(now.stream, stream) && now.version === version)
  return dependency.of(command).every(isCurrent) ? rejected : { type: 'dependency-changed', versions }
}

const isSameStream = (one: StreamName, other: StreamName): boolean =>
  one.category === other.category && one.id === other.id
