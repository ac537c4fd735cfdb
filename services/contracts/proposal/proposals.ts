import { hash } from 'node:crypto'
import { CodedError } from '../../../shared/calls/errors.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import { findEarlierAnswer, findUnrefused } from '../../../shared/event-sourcing/earlier-commit.ts'
import { withFinalRefusal } from '../../../shared/event-sourcing/final-refusal.ts'
import type { CommandDone, CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { Versioned, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { answerUnchanged } from '../../../shared/event-sourcing/record-decision.ts'
import type { ProposalStatus } from '../../../shared/fields/proposal-fields.ts'
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

/**
 * Undecided proposals that one caller may have: each is compared with its contract whenever somebody asks for the open
 * ones.
 */
const MAX_UNDECIDED = 1_000
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

  /** What has no decision and can still get one. */
  const undecided = () => ({
    where: { decision: 'none' },
    between: { createdAt: { from: now() - LIFE + 1 } },
    search: '',
  })

  async function rejectionOf(change: ProposedChange, context: CommandContext): Promise<ProposalRejection | undefined> {
    // Closed time is for those to judge who decide.
    const unclosed = { ...context, overrideReason: 'proposed' }
    const own = { decision: 'none', proposedBy: context.actor }
    const { total } = await view.list({ ...undecided(), where: own, limit: 1, offset: 0 })
    if (total >= MAX_UNDECIDED) return { type: 'too-many-undecided', most: MAX_UNDECIDED }
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
  async function settled(id: string, row: Row): Promise<Row> {
    if (row.state.decision) return row
    const found = await decisionOn(id)
    if (found === undefined || found.receipt.stream.category === proposalsView.category) return row
    const { event, receipt } = found
    // An edit that changed nothing is recorded beside the contract.
    const isWritten = receipt.stream.category === contractsView.category
    const contractId = isWritten ? Number(receipt.stream.id) : editedBy(row.state)
    const decision: Accepted = { type: 'accepted', contractId, at: event.at, by: event.by }
    const commitId = hash('sha256', `${decisionIdOf(id)}\nnoted`)
    const context = { actor: event.by, requestId: event.requestId, deadline: Date.now() + NOTING, commitId }
    try {
      const command = () => ({ type: 'note-acceptance', decision }) as const
      const noted = await handler.change({ id, command }, { ...context, isNewCommit: true })
      if (noted.type === 'done') return { ...row, state: noted.state, version: noted.version }
    } catch (error) {
      // The decision itself is in the log: noting it is left to whoever reads next.
      if (!(error instanceof StoreUnavailable) && !(error instanceof CodedError)) throw error
    }
    return { ...row, state: { ...row.state, decision }, version: row.version + 1 }
  }

  const statusOf = async (proposal: Proposal): Promise<ProposalStatus> => (await statusesOf([proposal]))[0] ?? 'open'

  /** The contracts' versions are read at once: one after the other, those of 1,000 took 2 s on MongoDB. */
  async function statusesOf(proposals: readonly Proposal[]): Promise<readonly ProposalStatus[]> {
    const edits = proposals.filter((one) => one.action === 'edit' && !one.decision)
    const streams = edits.map((one) => ({ category: contractsView.category, id: String(editedBy(one)) }))
    const found = streams.length > 0 ? await events.confirmedVersions(streams) : []
    const versions = new Map(edits.map((one, index) => [one, found[index]]))
    return proposals.map((one) => {
      if (one.decision) return one.decision.type
      if (now() >= expiryOf(one)) return 'expired'
      const isOutdated = one.action === 'edit' && versions.get(one) !== one.contractVersion
      return isOutdated ? 'outdated' : 'open'
    })
  }

  async function get(id: string) {
    const row = await view.get(id)
    if (row === undefined) return undefined
    const found = await settled(id, row)
    return { ...found, status: await statusOf(found.state) }
  }

  /** Records whose request a decision was, so that no other request is carried out under its commitId. */
  async function reserve(id: string, decided: Row, context: CommandContext): Promise<void> {
    if (context.isNewCommit) return
    try {
      await answerUnchanged(source, { id, before: decided, at: clock.stamp() }, context)
    } catch (error) {
      // The decision itself is in the log.
      if (!(error instanceof StoreUnavailable) && !(error instanceof CodedError)) throw error
    }
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
      const page = await pageOf(asked)
      const rows = await Promise.all(page.rows.map((row) => settled(row.id, row)))
      const statuses = await statusesOf(rows.map(({ state }) => state))
      const listed = rows.map(({ state, version }, index) => ({ state, version, status: statuses[index] ?? 'open' }))
      const found = listed.filter(({ status }) => (asked.status ?? status) === status)
      return { proposals: found, total: page.total - (page.rows.length - found.length) }
    },
  }

  async function pageOf({ status, limit, offset }: ListedProposals) {
    const expired = now() - LIFE
    const page = { search: '', limit, offset }
    if (status === 'expired') {
      return await view.list({ ...page, where: { decision: 'none' }, between: { createdAt: { to: expired } } })
    }
    if (status !== 'open' && status !== 'outdated') return await view.list({ ...page, where: { decision: status } })
    // Each has to be compared with the version that its contract has now; only those of the page stay in memory.
    const found: ViewRow<Proposal>[] = []
    let total = 0
    for (let after: string | undefined; ; ) {
      const { rows } = await view.list({ ...undecided(), limit: ROWS_AT_ONCE, offset: 0, after, withoutTotal: true })
      const statuses = await statusesOf(rows.map(({ state }) => state))
      const matching = rows.filter((_, at) => statuses[at] === status)
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

const editedBy = (proposal: Proposal): number => {
  if (proposal.action === 'edit') return proposal.contractId
  throw new Error(`The decision on proposal ${proposal.id} is about no contract.`)
}

const done = ({ state, version }: Pick<Row, 'state' | 'version'>, replayed: boolean): CommandDone<Proposal> => {
  return { type: 'done', state, version, replayed, changed: true }
}

const ended = (status: ProposalStatus) => {
  if (status === 'open') throw new Error('An open proposal has not ended.')
  return { type: 'rejected', rejection: { type: 'ended', status } } as const
}
