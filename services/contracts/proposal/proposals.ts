import { hash } from 'node:crypto'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import { findEarlierAnswer, findUnrefused } from '../../../shared/event-sourcing/earlier-commit.ts'
import { withFinalRefusal } from '../../../shared/event-sourcing/final-refusal.ts'
import type { CommandDone, CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { answerUnchanged } from '../../../shared/event-sourcing/record-decision.ts'
import { MAX_OPEN, MAX_UNDECIDED, type ProposalStatus } from '../../../shared/fields/proposal-fields.ts'
import type { ContractCommands } from '../contract/commands.ts'
import { contractsView } from '../contract/view.ts'
import type { ReportClock } from '../report/report-clock.ts'
import { decide, type ProposalRejection } from './decide.ts'
import type { ProposedChange } from './events.ts'
import { evolve, type Proposal, type ProposalDecision } from './evolve.ts'
import { proposalsView } from './view.ts'

/** How long a proposal can be decided on, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000

export const expiryOf = ({ createdAt }: Pick<Proposal, 'createdAt'>): number => createdAt + LIFE

export type ProposalOutcome = CommandOutcome<Proposal, ProposalRejection>
type Accepted = Extract<ProposalDecision, { type: 'accepted' }>
type Row = Versioned<Proposal>
/** The versions of contracts, in their order; undefined: there is none. */
type VersionsOf = (contractIds: readonly number[]) => Promise<readonly (number | undefined)[]>

interface ListedProposals {
  readonly status: ProposalStatus | undefined
  readonly limit: number
  readonly offset: number
}

interface ProposalsOptions {
  readonly database: Pick<Database, 'events' | 'view'>
  /** Of proposals and contracts, so that a preview of a moment stays the same. */
  readonly clock: Pick<ReportClock, 'begin' | 'stamp'>
  /** Milliseconds since the epoch, for expiry. */
  readonly now: () => number
  readonly contracts: ContractCommands
  readonly newId: () => string
}

export type Proposals = ReturnType<typeof createProposals>

/** Rows read and compared at a time. */
const ROWS_AT_ONCE = 500

/**
 * The proposals of one database. Whatever decides on a proposal is written under one commit id, made of the proposal's:
 * so the log has at most one decision, and the contract is written at most once, by whichever process. The acceptance is
 * the contract's own commit; the proposal's stream only notes it afterwards, for lists, and whoever reads the proposal
 * does that if the process that accepted it could not.
 *
 * Commands throw what CommandHandler throws, reading throws StoreUnavailable.
 */
export function createProposals({ database, clock, now, contracts, newId }: ProposalsOptions) {
  const { events } = database
  const [view, contractView] = [database.view(proposalsView), database.view(contractsView)]
  const source = { events, view, clock: clock.stamp }
  const handler = createCommandHandler({ ...source, decider: { decide, evolve } })

  /** What is open or outdated, of one caller or of all. */
  const undecided = (proposedBy?: string) => ({
    where: { decision: 'none', proposedBy },
    between: { createdAt: { from: now() - LIFE + 1 } },
    search: '',
  })

  /** Whether a caller may have no more. As a rule, the count alone says that it may. */
  async function hasTooMany(proposedBy: string): Promise<boolean> {
    const { total } = await view.list({ ...undecided(proposedBy), limit: 1, offset: 0 })
    if (total < MAX_OPEN || total >= MAX_UNDECIDED) return total >= MAX_UNDECIDED
    const open = await compared('open', { proposedBy, limit: 0, offset: 0 })
    return open.total >= MAX_OPEN
  }

  async function rejectionOf(change: ProposedChange, context: CommandContext): Promise<ProposalRejection | undefined> {
    // Closed time is for those to judge who decide.
    const unclosed = { ...context, overrideReason: 'proposed' }
    if (await hasTooMany(context.actor)) return { type: 'too-many-undecided' }
    if (change.action === 'create') return await contracts.rejectionOf(change.fields, unclosed)
    const contract = await contractView.get(String(change.contractId))
    const rejection = await contracts.rejectionOfEdit(contract?.state, change.fields, unclosed)
    if (contract === undefined || contract.version === change.contractVersion) return rejection
    return { type: 'contract-changed', version: contract.version }
  }

  function make(change: ProposedChange, reason: string, context: CommandContext): Promise<ProposalOutcome> {
    return handler.create(async () => {
      const id = newId()
      const command = async () => {
        await clock.begin()
        const rejection = await rejectionOf(change, context)
        return () =>
          ({ type: 'make', proposed: { id, ...change, reason, proposedBy: context.actor }, rejection }) as const
      }
      return { id, command }
    }, context)
  }

  /** What the log says about a proposal; undefined: nothing was decided. */
  async function decisionOn(id: string) {
    const receipt = await findUnrefused(events, decisionIdOf(id))
    if (receipt === undefined) return undefined
    const range = { afterVersion: receipt.version - 1, upToVersion: receipt.version }
    const [event] = await events.readStream(receipt.stream, range)
    if (event === undefined) throw new Error(`The log has a decision on proposal ${id}, but no event of it.`)
    return { receipt, event }
  }

  /** The proposal with the decision that the log has, noted where it was not. */
  async function settled(row: Row): Promise<Row> {
    const { state } = row
    if (state.decision) return row
    const found = await decisionOn(state.id)
    if (found === undefined || found.receipt.stream.category === proposalsView.category) return row
    const { event, receipt } = found
    // An edit that changed nothing is recorded beside the contract.
    const contractId = state.action === 'edit' ? state.contractId : Number(receipt.stream.id)
    const decision: Accepted = { type: 'accepted', contractId, at: event.at, by: event.by }
    const commitId = hash('sha256', `${decisionIdOf(state.id)}\nnoted`)
    const context = { actor: event.by, requestId: event.requestId, deadline: Date.now() + NOTING, commitId }
    const command = () => ({ type: 'note-acceptance', decision }) as const
    await ifWritable(handler.change({ id: state.id, command }, { ...context, isNewCommit: true }))
    return { ...row, state: { ...state, decision }, version: row.version + 1 }
  }

  /** For decisions. Reads need no confirmation, which takes MongoDB a query for each. */
  const confirmedVersions: VersionsOf = async (contractIds) => {
    const streams = contractIds.map((id) => ({ category: contractsView.category, id: String(id) }))
    return streams.length > 0 ? await events.confirmedVersions(streams) : []
  }

  const shownVersions: VersionsOf = async (contractIds) =>
    await Promise.all(contractIds.map(async (id) => (await contractView.get(String(id)))?.version))

  async function withStatuses(rows: readonly Row[], versionsOf = shownVersions) {
    const edited = rows.flatMap(({ state }) => (state.action === 'edit' && !state.decision ? [state.contractId] : []))
    const ids = [...new Set(edited)]
    const versions = await versionsOf(ids)
    const current = new Map(ids.map((id, index) => [id, versions[index]]))
    return rows.map((row) => ({ ...row, status: statusOf(row.state, current) }))
  }

  /** `current`: the version that each contract has. */
  function statusOf(proposal: Proposal, current: ReadonlyMap<number, number | undefined>): ProposalStatus {
    if (proposal.decision) return proposal.decision.type
    if (now() >= expiryOf(proposal)) return 'expired'
    const isOutdated = proposal.action === 'edit' && current.get(proposal.contractId) !== proposal.contractVersion
    return isOutdated ? 'outdated' : 'open'
  }

  async function get(id: string) {
    const row = await view.get(id)
    return row && (await withStatuses([await settled(row)], confirmedVersions))[0]
  }

  /** Records whose request a decision was, so that no other request is carried out under its commitId. */
  async function reserve(id: string, decided: Row, context: CommandContext): Promise<void> {
    if (context.isNewCommit) return
    await ifWritable(answerUnchanged(source, { id, before: decided, at: clock.stamp() }, context))
  }

  /** Decides on an open proposal. The same request again, known by its commitId, gets the first answer. */
  async function decideOn(
    id: string,
    context: CommandContext,
    carryOut: (proposal: Proposal, decision: CommandContext) => Promise<CommandOutcome<unknown, ProposalRejection>>,
  ): Promise<ProposalOutcome> {
    const { commitId, requestHash = '', isNewCommit: _, refusals: __, ...caller } = context
    const own = {
      ...caller,
      commitId: decisionIdOf(id),
      requestHash: hash('sha256', `${commitId}\n${requestHash}`),
    }
    const before = await get(id)
    if (before === undefined) return { type: 'rejected', rejection: { type: 'proposal-not-found' } }
    const earlier = context.isNewCommit ? undefined : await findEarlierAnswer(source, context, id)
    if (earlier?.type === 'key-reused') return earlier
    if (before.state.decision) {
      const isRepeated = (await decisionOn(id))?.receipt.requestHash === own.requestHash
      return isRepeated ? done(before, true) : ended(before.state.decision.type)
    }
    const isOpen = before.status === 'open'
    const refuse = async () => ended(before.status)
    const outcome = await (isOpen ? carryOut(before.state, own) : withFinalRefusal(source, own, refuse))
    if (outcome.type === 'rejected') return outcome
    // Somebody else may have decided meanwhile, or edited the contract.
    const after = (await get(id)) ?? before
    if (outcome.type !== 'done') return ended(after.status)
    await reserve(id, after, context)
    return done(after, outcome.replayed)
  }

  return {
    get,
    make,

    accept: (id: string, context: CommandContext): Promise<ProposalOutcome> =>
      decideOn(id, context, (proposal, decision) => {
        const { action, fields, proposedBy } = proposal
        if (action === 'create') return contracts.create(fields, { ...decision, proposedBy })
        const { contractId, contractVersion } = proposal
        const edit = { id: contractId, changes: fields, expectedVersions: [contractVersion] }
        return contracts.edit(edit, { ...decision, proposedBy })
      }),

    decline: (id: string, reason: string, context: CommandContext): Promise<ProposalOutcome> =>
      decideOn(id, context, (_proposal, decision) => {
        const command = () => ({ type: 'decline', reason, by: context.actor }) as const
        return handler.change({ id, command }, decision)
      }),

    /** Newest first. */
    async list(asked: ListedProposals) {
      const { rows, total } = await pageOf(asked)
      const shown = await withStatuses(await Promise.all(rows.map(settled)))
      const proposals = shown.filter(({ status }) => (asked.status ?? status) === status)
      return { proposals, total: total - (rows.length - proposals.length) }
    },
  }

  async function pageOf({ status, ...page }: ListedProposals) {
    const query = { ...page, search: '' }
    if (status === 'open' || status === 'outdated') return await compared(status, page)
    if (status !== 'expired') return await view.list({ ...query, where: { decision: status } })
    return await view.list({ ...query, where: { decision: 'none' }, between: { createdAt: { to: now() - LIFE } } })
  }

  /** A page of those that have no decision, by the versions that their contracts have now: only it stays in memory. */
  async function compared(
    status: 'open' | 'outdated',
    { proposedBy, limit, offset }: Omit<ListedProposals, 'status'> & { readonly proposedBy?: string },
  ) {
    const query = { ...undecided(proposedBy), limit: ROWS_AT_ONCE, offset: 0, withoutTotal: true }
    const found: Row[] = []
    let total = 0
    for (let after: string | undefined; ; ) {
      const { rows } = await view.list({ ...query, after })
      const matching = (await withStatuses(rows)).filter((row) => row.status === status)
      found.push(...matching.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)))
      total += matching.length
      after = rows.at(-1)?.id
      if (rows.length < ROWS_AT_ONCE) return { rows: found, total }
    }
  }
}

/** How long a read waits for the note of a decision, in milliseconds. */
const NOTING = 1_000

const decisionIdOf = (id: string): string => hash('sha256', `decision on proposal ${id}`)

/** What a write adds to a decision that the log has already; undefined: it can't be written now. */
async function ifWritable<Outcome>(write: Promise<Outcome>): Promise<Outcome | undefined> {
  return await write.catch((error) => {
    if (error instanceof StoreUnavailable || error instanceof CodedError) return undefined
    throw error
  })
}

const done = ({ state, version }: Pick<Row, 'state' | 'version'>, replayed: boolean): CommandDone<Proposal> => {
  return { type: 'done', state, version, replayed, changed: true }
}

const ended = (status: ProposalStatus) => {
  if (status === 'open') throw new Error('An open proposal has not ended.')
  return { type: 'rejected', rejection: { type: 'ended', status } } as const
}
