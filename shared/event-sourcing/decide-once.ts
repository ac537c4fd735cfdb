import { answerUnchanged } from './answer-unchanged.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandOutcome } from './command-outcome.ts'
import type { EarlierAnswer } from './earlier-commit.ts'
import type { DomainEvent } from './event.ts'
import type { Versioned } from './ports/view.ts'
import { type CommandHandlerOptions, type LostRace, recordDecision } from './record-decision.ts'

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

/** What one decision of a command comes to; after a lost race nothing was written. */
type DecidedOnce<State, Rejection> = CommandOutcome<State, Rejection> | EarlierAnswer<State> | LostRace

/** Decides the creation of an aggregate, and records it. */
export async function createOnce<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
  { id, command: prepareCommand }: NewAggregate<Command>,
  context: CommandContext,
): Promise<DecidedOnce<State, Rejection>> {
  const commandAt = await prepareCommand()
  // From here to the append nothing is awaited: a report about a moment waits only for appends that have begun.
  const at = options.clock()
  const command = commandAt(at)
  const decision = options.decider.decide(undefined, command)
  if (decision.type === 'rejected') return await unlessDependencyChanged(options, decision, command)
  return await recordDecision(options, { id, before: undefined, command, events: decision.events, at }, context)
}

/** Decides a command on an aggregate as it was in `before`, and records it, also if nothing changes. */
export async function changeOnce<State, Command, Event extends DomainEvent, Rejection>(
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
  // Only now: that there is no such aggregate goes before what its version must be.
  if (!isExpected) return { type: 'precondition-failed', version }
  const at = Math.max(options.clock(), before?.at ?? 0)
  if (before && decision.events.length === 0) return await answerUnchanged(options, { id, before, at }, context)
  return await recordDecision(options, { id, before, command, events: decision.events, at }, context)
}

/** A rejection has no append to detect that it was decided on an outdated version of the dependency. */
async function unlessDependencyChanged<State, Command, Event extends DomainEvent, Rejection, Rejected>(
  { dependency }: CommandHandlerOptions<State, Command, Event, Rejection>,
  rejected: Rejected,
  command: Command,
): Promise<Rejected | LostRace> {
  if (dependency === undefined) return rejected
  const version = await dependency.refresh()
  return version === dependency.of(command).version ? rejected : { type: 'dependency-changed', version }
}
