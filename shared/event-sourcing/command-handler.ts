import { createKeyedQueue } from '../async/keyed-queue.ts'
import { CodedError } from '../calls/errors.ts'
import { randomCommitId } from '../calls/ids.ts'
import { appendUntilKnown } from './append-until-known.ts'
import { boundedRounds } from './bounded-rounds.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDone, CommandOutcome } from './command-outcome.ts'
import type { Decider } from './decider.ts'
import { type AggregateSource, answerAgain, findEarlierAnswer } from './earlier-commit.ts'
import type { DomainEvent, Timed } from './event.ts'
import type { StreamVersion } from './ports/event-store.ts'
import type { Versioned } from './ports/view.ts'
import { rememberUnchanged } from './remember-unchanged.ts'

/** What the handler of one kind of aggregate needs. */
export interface CommandHandlerOptions<State, Command, Event extends DomainEvent, Rejection>
  extends AggregateSource<State> {
  readonly decider: Decider<State, Command, Event, Rejection>
  readonly dependency?: Dependency<Command>
  /** Milliseconds since the epoch, for event times; deadlines use the wall clock. */
  readonly clock: () => number
}

/** Another stream that decisions depend on: events are only written while that stream is unchanged. */
export interface Dependency<Command> {
  /** The stream, at the version that this command is based on. */
  of(command: Command): StreamVersion
  /** Reads the stream again, for commands created from then on; returns its version. */
  refresh(): Promise<number>
}

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
 * With a requestHash in the context, an earlier commit with the same commitId answers before anything is decided. That
 * includes requests that changed nothing, which are recorded for this purpose. Without a requestHash the commitId only
 * identifies a transport's retry: the retry gets the first answer, except that a request that changed nothing is
 * decided again, since its caller has had no answer yet.
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

type LostRace =
  | { readonly type: 'wrong-version'; readonly currentVersion: number }
  /** `version`: the dependency's, read again. */
  | { readonly type: 'dependency-changed'; readonly version: number }

/** Creates a handler with its own queue of commands in progress. */
export function createCommandHandler<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
): CommandHandler<State, Command, Rejection> {
  const { view, decider, clock } = options
  const queue = createKeyedQueue()

  async function create(prepare: () => Promise<NewAggregate<Command>>, context: CommandContext) {
    const isSearched = context.requestHash !== undefined && !context.isNewCommit
    const remembered = isSearched ? await findEarlierAnswer(options, context) : undefined
    if (remembered !== undefined) return remembered
    const target = await prepare()
    const again = boundedRounds(`create ${view.definition.category}`)
    for (;;) {
      const outcome = await createOnce(target, context)
      // Searched for once the rejection is certain: this request, or its twin, may have been written before that.
      if (outcome.type === 'rejected') return (await findEarlierAnswer(options, context)) ?? outcome
      if (outcome.type === 'wrong-version') {
        throw new Error(`The new ${view.definition.category} id ${target.id} already exists.`)
      }
      if (outcome.type !== 'dependency-changed') return outcome
      if (Date.now() >= context.deadline) throw outOfTime()
      await again(`dependency ${outcome.version}`)
    }
  }

  async function createOnce({ id, command: prepareCommand }: NewAggregate<Command>, context: CommandContext) {
    const commandAt = await prepareCommand()
    // From here to the append nothing is awaited: a report about a moment waits only for appends that have begun.
    const at = clock()
    const command = commandAt(at)
    const decision = decider.decide(undefined, command)
    if (decision.type === 'rejected') return await unlessDependencyChanged(decision, command)
    return await record(options, { id, before: undefined, command, events: decision.events, at }, context)
  }

  /** A rejection has no append to detect that it was decided on an outdated version of the dependency. */
  async function unlessDependencyChanged<Rejected>(rejected: Rejected, command: Command) {
    const { dependency } = options
    if (dependency === undefined) return rejected
    const version = await dependency.refresh()
    return version === dependency.of(command).version ? rejected : ({ type: 'dependency-changed', version } as const)
  }

  async function change(target: CommandFor<State, Command>, context: CommandContext) {
    return await queue.run(target.id, async () => {
      let before: Versioned<State> | undefined = await view.get(target.id)
      const again = boundedRounds(`change ${view.definition.category}`)
      for (;;) {
        if (Date.now() >= context.deadline) throw outOfTime()
        const outcome = await decideOnce(target, before, context)
        if (outcome.type === 'wrong-version') before = await load(options, target.id, outcome.currentVersion)
        else if (outcome.type !== 'dependency-changed') return outcome
        await again(outcome.type === 'wrong-version' ? `version ${before?.version}` : `dependency ${outcome.version}`)
      }
    })
  }

  async function decideOnce(
    { id, command: commandOn, expectedVersions }: CommandFor<State, Command>,
    before: Versioned<State> | undefined,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Rejection> | LostRace> {
    const remembers = before !== undefined && context.requestHash !== undefined
    const remembered = remembers ? await findEarlierAnswer(options, context) : undefined
    if (remembered !== undefined) return remembered
    // append detects a retry by itself; when nothing is appended, search for the earlier commit here.
    const unlessSentBefore = async (outcome: CommandOutcome<State, Rejection>) =>
      before === undefined || remembers ? outcome : ((await findEarlierAnswer(options, context, id)) ?? outcome)

    if (before !== undefined && expectedVersions !== undefined && !expectedVersions.includes(before.version)) {
      return await unlessSentBefore({ type: 'precondition-failed', version: before.version })
    }
    const command = await commandOn(before?.state)
    const decision = decider.decide(before?.state, command)
    if (decision.type === 'rejected') {
      const outcome = await unlessDependencyChanged(decision, command)
      if (outcome.type !== 'rejected' || before === undefined) return outcome
      // Also with a request hash: its twin may have been written since the search above.
      return (await findEarlierAnswer(options, context, id)) ?? outcome
    }
    if (before === undefined && expectedVersions !== undefined && !expectedVersions.includes(0)) {
      return { type: 'precondition-failed', version: 0 }
    }
    const at = Math.max(clock(), before?.at ?? 0)
    if (decision.events.length === 0) {
      const outcome = unchanged(id, before)
      return remembers
        ? await rememberUnchanged(options, { id, outcome, at }, context)
        : await unlessSentBefore(outcome)
    }
    return await record(options, { id, before, command, events: decision.events, at }, context)
  }

  return { create, change }
}

interface Change<State, Command, Event> {
  readonly id: string
  readonly command: Command
  readonly before: Versioned<State> | undefined
  readonly events: readonly Event[]
  readonly at: number
}

/** Appends the decided events together with the view row that results from them. */
async function record<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
  { id, before, command, events, at }: Change<State, Command, Event>,
  context: CommandContext,
): Promise<CommandOutcome<State, never> | LostRace> {
  const { name, category } = options.view.definition
  const { evolve } = options.decider
  const expectedVersion = before?.version ?? 0
  const after = events.reduce<State | undefined>((state, event) => evolve(state, timed(event, at)), before?.state)
  if (after === undefined) throw new Error(`A ${category} can't be created without an event.`)
  const { actor: by, requestId, requestHash, commitId = randomCommitId(), deadline } = context
  const version = expectedVersion + events.length
  const commit = {
    stream: { category, id },
    expectedVersion,
    dependsOn: options.dependency?.of(command),
    commitId,
    events,
    metadata: { at, by, requestId, ...(requestHash !== undefined && { requestHash }) },
    rows: [{ view: name, id, state: after, version, at }],
  }
  const outcome = await appendUntilKnown(options.events, commit, deadline)
  switch (outcome.type) {
    case 'appended':
      return { type: 'done', state: after, version, replayed: false, changed: true }
    case 'already-appended':
      return await answerAgain(options, outcome.receipt, context, before && id)
    case 'dependency-changed':
      return { type: outcome.type, version: (await options.dependency?.refresh()) ?? 0 }
    case 'wrong-version':
      return outcome
  }
}

/** The aggregate from its view, plus the events of its stream that the view doesn't have yet. */
async function load<State>(
  { events, view }: AggregateSource<State>,
  id: string,
  currentVersion: number,
): Promise<Versioned<State> | undefined> {
  const row = await view.get(id)
  if (row !== undefined && row.version >= currentVersion) return row
  const { category, fold } = view.definition
  let current: Versioned<State> | undefined = row
  for (const event of await events.readStream({ category, id }, { afterVersion: row?.version ?? 0 })) {
    current = { state: fold(current?.state, event), version: event.version, at: event.at }
  }
  return current
}

function unchanged<State>(id: string, before: Versioned<State> | undefined): CommandDone<State> {
  if (before === undefined) throw new Error(`A command on ${id}, which does not exist, was accepted without events.`)
  return { type: 'done', state: before.state, version: before.version, replayed: false, changed: false }
}

function timed<Event extends DomainEvent>(event: Event, at: number): Timed<Event> {
  return { ...event, at }
}

function outOfTime(): CodedError {
  return new CodedError('unavailable', 'Other requests kept changing this record; nothing was written. Try again.')
}
