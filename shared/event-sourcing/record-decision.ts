import { traced } from '../runtime/tracing/tracing.ts'
import { appendUntilKnown } from './append-until-known.ts'
import type { CommandContext } from './command-context.ts'
import type { Decider } from './decider.ts'
import { type AggregateSource, answerAgain, type EarlierAnswer } from './earlier-commit.ts'
import type { DomainEvent } from './event.ts'
import type { StreamVersion } from './ports/event-store.ts'
import type { Versioned } from './ports/view.ts'
import { acceptedRequestCommit } from './recorded-requests.ts'

/** The dependencies of the handler of one kind of aggregate. */
export interface CommandHandlerOptions<State, Command, Event extends DomainEvent, Rejection>
  extends AggregateSource<State> {
  readonly decider: Decider<State, Command, Event, Rejection>
  readonly dependency?: Dependency<Command>
  /** Milliseconds since the epoch, for event times; deadlines use the wall clock. */
  readonly clock: () => number
}

/** Other streams that decisions depend on: events are only written while those streams are unchanged. */
interface Dependency<Command> {
  /** The streams that this command is based on, at the versions that it is based on. */
  of(command: Command): readonly StreamVersion[]
  /** Reads all of them again, for commands created later; returns their versions. */
  refresh(): Promise<readonly StreamVersion[]>
}

/** Something that a command was decided on has changed, so it must be decided again. */
export type LostRace =
  | { readonly type: 'wrong-version'; readonly currentVersion: number }
  /** `versions`: the current versions of all dependencies. */
  | { readonly type: 'dependency-changed'; readonly versions: readonly StreamVersion[] }

interface Decided<State, Command, Event> {
  readonly id: string
  readonly command: Command
  readonly before: Versioned<State> | undefined
  readonly events: readonly Event[]
  readonly at: number
}

/** Appends the decided events together with the view row that results from them. */
export async function recordDecision<State, Command, Event extends DomainEvent, Rejection>(
  options: CommandHandlerOptions<State, Command, Event, Rejection>,
  { id, before, command, events, at }: Decided<State, Command, Event>,
  context: CommandContext,
): Promise<EarlierAnswer<State> | LostRace> {
  const { name, category } = options.view.definition
  const { evolve } = options.decider
  const expectedVersion = before?.version ?? 0
  const after = events.reduce<State | undefined>((state, event) => evolve(state, { ...event, at }), before?.state)
  if (after === undefined) throw new Error(`A ${category} can't be created without an event.`)
  const { actor: by, requestId, requestHash, commitId, deadline, traceparent } = context
  const version = expectedVersion + events.length
  const commit = {
    stream: { category, id },
    expectedVersion,
    dependsOn: options.dependency?.of(command),
    commitId,
    events,
    rows: [{ view: name, id, state: after, version, at }],
  }
  const metadata = { at, by, requestId, ...(requestHash !== undefined && { requestHash }) }
  const request = traceparent === undefined ? {} : { traceparent }
  const outcome = await traced(`append ${category}`, { kind: 'internal', context: request }, (own) =>
    appendUntilKnown(options.events, { ...commit, metadata: { ...metadata, ...own } }, deadline),
  )
  switch (outcome.type) {
    case 'appended':
      return { type: 'done', state: after, version, replayed: false, changed: true }
    case 'already-appended':
      return await answerAgain(options, outcome.receipt, context, before && id)
    case 'dependency-changed':
      return { type: outcome.type, versions: (await options.dependency?.refresh()) ?? [] }
    case 'wrong-version':
      return outcome
  }
}

/** A command that was accepted but changed nothing. */
interface Unchanged<State> {
  /** The aggregate's id. */
  readonly id: string
  /** The state that the command was decided on. */
  readonly before: Versioned<State>
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * The outcome of a command that changes nothing, once a majority has confirmed that the aggregate is still at the version
 * that was decided on. A request that may be sent again, or was sent before, is recorded, so that a late attempt can't
 * undo later changes by others. Returns the outcome of an earlier attempt if there is one. Throws like appendUntilKnown.
 */
export async function answerUnchanged<State>(
  source: AggregateSource<State>,
  { id, before, at }: Unchanged<State>,
  context: CommandContext,
): Promise<EarlierAnswer<State> | LostRace> {
  const { actor: by, requestId, requestHash, commitId, isNewCommit, deadline } = context
  const { state, version } = before
  const stream = { category: source.view.definition.category, id }
  const outcome = { type: 'done', state, version, replayed: false, changed: false } as const
  if (isNewCommit && requestHash === undefined) {
    const [currentVersion = 0] = await source.events.confirmedVersions([stream])
    return currentVersion === version ? outcome : { type: 'wrong-version', currentVersion }
  }
  const metadata = { at, by, requestId, ...(requestHash !== undefined && { requestHash }) }
  const appended = await appendUntilKnown(
    source.events,
    acceptedRequestCommit(commitId, { stream, version }, metadata),
    deadline,
  )
  switch (appended.type) {
    case 'appended':
      return outcome
    case 'already-appended':
      return await answerAgain(source, appended.receipt, context, id)
    case 'dependency-changed':
      return { type: 'wrong-version', currentVersion: version + 1 }
    case 'wrong-version':
      throw new Error(`The stream of request ${commitId} has another commit.`)
  }
}
