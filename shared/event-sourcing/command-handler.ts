import { createKeyedQueue } from '../async/keyed-queue.ts'
import { CodedError } from '../calls/errors.ts'
import { randomCommitId } from '../calls/ids.ts'
import { appendUntilKnown } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import type { CommandDone, CommandOutcome } from './command-outcome.ts'
import type { Decider } from './decider.ts'
import { type AggregateSource, answerAgain, findEarlierAnswer } from './earlier-commit.ts'
import type { DomainEvent, Timed } from './event.ts'
import type { Versioned } from './ports/view.ts'
import { rememberUnchanged } from './remember-unchanged.ts'

/** What the handler of one kind of aggregate works with. */
export interface CommandHandlerOptions<State, Command, Event extends DomainEvent, Rejection>
  extends AggregateSource<State> {
  readonly decider: Decider<State, Command, Event, Rejection>
  /** Milliseconds since the epoch, for the times of events; deadlines run by the wall clock. */
  readonly clock: () => number
}

/** An aggregate that is about to be created; `at` is the time its events will have. */
export interface NewAggregate<Command> {
  /** Never used before. */
  readonly id: string
  command(at: number): Command
}

/** A command for one aggregate, which may exist or not. */
export interface CommandFor<State, Command> {
  readonly id: string
  /** Called anew whenever the command is decided; `state` is undefined when the aggregate does not exist. */
  command(state: State | undefined): Command | Promise<Command>
  /** When present, the aggregate's version must be one of these. */
  readonly expectedVersions?: readonly number[] | undefined
}

/**
 * Carries out commands on one kind of aggregate. Both methods throw StoreUnavailable when nothing was written,
 * CodedError `unavailable` when a race was still being lost at the deadline, and `outcome_unknown`.
 *
 * With a requestHash in the context, an earlier commit of the same commitId answers before anything is decided, also
 * when it changed nothing: that is written, too. Without one the commitId only marks a transport's second sending, which
 * gets the answer of the first; one that changed nothing is decided anew then, as its caller has had no answer yet.
 */
export interface CommandHandler<State, Command, Rejection> {
  /** `prepare` is called only when no earlier commit answers, so that no number is drawn in vain. */
  create(
    prepare: () => Promise<NewAggregate<Command>>,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Rejection>>
  /** Commands for one aggregate wait for each other; one that loses a race to another process is decided again. */
  change(target: CommandFor<State, Command>, context: CommandContext): Promise<CommandOutcome<State, Rejection>>
}

type LostRace = { readonly type: 'wrong-version'; readonly currentVersion: number }

/** A handler, with the queue of what is under way in this process. */
export function createCommandHandler<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
): CommandHandler<State, Command, Rejection> {
  const { view, decider, clock } = options
  const queue = createKeyedQueue()

  async function create(prepare: () => Promise<NewAggregate<Command>>, context: CommandContext) {
    const remembered = context.requestHash === undefined ? undefined : await findEarlierAnswer(options, context)
    if (remembered !== undefined) return remembered
    const { id, command } = await prepare()
    const at = clock()
    const decision = decider.decide(undefined, command(at))
    if (decision.type === 'rejected') return decision
    const outcome = await record(options, { id, before: undefined, events: decision.events, at }, context)
    if (outcome.type === 'wrong-version') throw new Error(`The new ${view.definition.category} id ${id} is taken.`)
    return outcome
  }

  async function change(target: CommandFor<State, Command>, context: CommandContext) {
    return await queue.run(target.id, async () => {
      let before: Versioned<State> | undefined = await view.get(target.id)
      for (;;) {
        if (Date.now() >= context.deadline) throw outOfTime()
        const outcome = await decideOnce(target, before, context)
        if (outcome.type !== 'wrong-version') return outcome
        before = await load(options, target.id, outcome.currentVersion)
      }
    })
  }

  async function decideOnce(
    { id, command, expectedVersions }: CommandFor<State, Command>,
    before: Versioned<State> | undefined,
    context: CommandContext,
  ): Promise<CommandOutcome<State, Rejection> | LostRace> {
    const remembers = before !== undefined && context.requestHash !== undefined
    const remembered = remembers ? await findEarlierAnswer(options, context) : undefined
    if (remembered !== undefined) return remembered
    // Only append finds a second sending by itself; where nothing is to be appended it is looked for.
    const unlessSentBefore = async (outcome: CommandOutcome<State, Rejection>) =>
      before === undefined || remembers ? outcome : ((await findEarlierAnswer(options, context, id)) ?? outcome)

    if (before !== undefined && expectedVersions !== undefined && !expectedVersions.includes(before.version)) {
      return await unlessSentBefore({ type: 'precondition-failed', version: before.version })
    }
    const decision = decider.decide(before?.state, await command(before?.state))
    if (decision.type === 'rejected') return await unlessSentBefore(decision)
    const at = Math.max(clock(), before?.at ?? 0)
    if (decision.events.length === 0) {
      const outcome = unchanged(id, before)
      return remembers
        ? await rememberUnchanged(options, { id, outcome, at }, context)
        : await unlessSentBefore(outcome)
    }
    return await record(options, { id, before, events: decision.events, at }, context)
  }

  return { create, change }
}

interface Change<State, Event> {
  readonly id: string
  readonly before: Versioned<State> | undefined
  readonly events: readonly Event[]
  readonly at: number
}

/** Writes what was decided, with the view's row after it. */
async function record<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
  { id, before, events, at }: Change<State, Event>,
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
    case 'wrong-version':
      return outcome
  }
}

/** The aggregate as its view shows it, and from its stream what the view doesn't show yet. */
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
  if (before === undefined) throw new Error(`Deciding upon ${id}, which does not exist, came to nothing.`)
  return { type: 'done', state: before.state, version: before.version, replayed: false, changed: false }
}

function timed<Event extends DomainEvent>(event: Event, at: number): Timed<Event> {
  return { ...event, at }
}

function outOfTime(): CodedError {
  return new CodedError('unavailable', 'Others kept changing this record, and nothing was written: try again.')
}
