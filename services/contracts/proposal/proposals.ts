import { hash } from 'node:crypto'
import { CodedError } from '../../../shared/calls/errors.ts'
import { newUuid } from '../../../shared/calls/ids.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { createCommandHandler } from '../../../shared/event-sourcing/command-handler.ts'
import { findEarlierAnswer, findUnrefused } from '../../../shared/event-sourcing/earlier-commit.ts'
import { withFinalRefusal } from '../../../shared/event-sourcing/final-refusal.ts'
import type { CommandDone, CommandOutcome } from '../../../shared/event-sourcing/outcomes.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import type { Versioned } from '../../../shared/event-sourcing/ports/view.ts'
import { answerUnchanged } from '../../../shared/event-sourcing/record-decision.ts'
import { MAX_UNDECIDED, type ProposalStatus } from '../../../shared/fields/proposal-fields.ts'
import type { ContractCommands } from '../contract/commands.ts'
import { contractsView } from '../contract/view.ts'
import type { ReportClock } from '../report/report-clock.ts'
import { decide, type ProposalRejection } from './decide.ts'
import type { ProposedChange } from './events.ts'
import { evolve, type Proposal, type ProposalDecision } from './evolve.ts'
import { proposalsView } from './view.ts'

/** How long a proposal can be decided on, in milliseconds. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000

/** From when on a proposal can no longer be decided on, in milliseconds since the epoch. */
export const expiryOf = ({ createdAt }: Pick<Proposal, 'createdAt'>): number => createdAt + LIFETIME

export type ProposalOutcome = CommandOutcome<Proposal, ProposalRejection>
type Accepted = Extract<ProposalDecision, { type: 'accepted' }>
type Row = Versioned<Proposal>
/** The version of a contract; undefined or 0 if there is no such contract. */
type VersionOf = (contractId: number) => Promise<number | undefined>

interface ListedProposals {
  readonly status: ProposalStatus | undefined
  readonly limit: number
  readonly offset: number
}

interface ProposalsOptions {
  readonly database: Pick<Database, 'events' | 'view'>
  /**
   * The clock of proposals and contracts, so that a preview as of a past moment never changes, and what was shown as
   * expired stays so when the machine's clock is set back.
   */
  readonly clock: Pick<ReportClock, 'begin' | 'stamp'>
  readonly contracts: ContractCommands
}

export type Proposals = ReturnType<typeof createProposals>

/** Of the longest proposals, these are about the REPORT_BYTES that a list is charged. */
const ROWS_PER_READ = 200

/**
 * The proposals of one database. Every decision on a proposal is written under one commit id, derived from the proposal's
 * id: so the log has at most one decision, and the contract is written at most once, by whichever process. An acceptance
 * is the contract's own commit. The proposal's stream notes it afterwards, for lists; if the process that accepted could
 * not do that, the next read of the proposal does.
 *
 * Commands throw what CommandHandler throws, reading throws StoreUnavailable.
 */
export function createProposals({ database, clock, contracts }: ProposalsOptions) {
  const { events } = database
  const [view, contractView] = [database.view(proposalsView), database.view(contractsView)]
  const source = { events, view, clock: clock.stamp }
  const handler = createCommandHandler({ ...source, decider: { decide, evolve } })

  /** Proposals that are open or outdated, of one caller or of all. */
  const undecided = (proposedBy?: string) => ({
    where: { decision: 'none', proposedBy },
    between: { createdAt: { from: clock.stamp() - LIFETIME + 1 } },
    search: '',
  })

  /** Why the change itself would be rejected now; undefined: it would be accepted. */
  async function rejectionOfChange(change: ProposedChange, context: CommandContext) {
    if (change.action === 'create') return await contracts.rejectionOf(change.fields, context)
    const contract = await contractView.get(String(change.contractId))
    return await contracts.rejectionOfEdit(contract?.state, change.fields, context)
  }

  async function rejectionOfMaking(
    change: ProposedChange,
    context: CommandContext,
  ): Promise<ProposalRejection | undefined> {
    const { total } = await view.list({ ...undecided(context.actor), limit: 1, offset: 0 })
    if (total >= MAX_UNDECIDED) return { type: 'too-many-undecided' }
    // A proposal may be for a closed period: whoever accepts it needs the override.
    const rejection = await rejectionOfChange(change, { ...context, overrideReason: 'proposed' })
    if (change.action === 'create') return rejection
    const version = await shownVersion(change.contractId)
    if (version === undefined || version === change.contractVersion) return rejection
    return { type: 'contract-changed', version }
  }

  function make(change: ProposedChange, reason: string, context: CommandContext): Promise<ProposalOutcome> {
    return handler.create(async () => {
      const id = newUuid()
      const command = async () => {
        await clock.begin()
        const rejection = await rejectionOfMaking(change, context)
        return () =>
          ({ type: 'make', proposed: { id, ...change, reason, proposedBy: context.actor }, rejection }) as const
      }
      return { id, command }
    }, context)
  }

  /** The decision on a proposal that is in the log; undefined: there is none. */
  async function decisionOn(id: string) {
    const receipt = await findUnrefused(events, decisionIdOf(id))
    if (receipt === undefined) return undefined
    const range = { afterVersion: receipt.version - 1, upToVersion: receipt.version }
    const [event] = await events.readStream(receipt.stream, range)
    if (event === undefined) throw new Error(`The log has a decision on proposal ${id}, but not its event.`)
    return { receipt, event }
  }

  /** Adds the decision that the log has, and notes it in the proposal's stream if that is missing. */
  async function withDecision(row: Row): Promise<Row> {
    const { state } = row
    if (state.decision) return row
    const found = await decisionOn(state.id)
    if (found === undefined || found.receipt.stream.category === proposalsView.category) return row
    const { event, receipt } = found
    // An edit that changed nothing is recorded in another stream than the contract's.
    const contractId = state.action === 'edit' ? state.contractId : Number(receipt.stream.id)
    const decision: Accepted = { type: 'accepted', contractId, at: event.at, by: event.by }
    const commitId = hash('sha256', `${decisionIdOf(state.id)}\nnoted`)
    const context = {
      actor: event.by,
      requestId: event.requestId,
      deadline: Date.now() + NOTE_TIMEOUT_MILLISECONDS,
      commitId,
    }
    const command = () => ({ type: 'note-acceptance', decision }) as const
    await ifWritable(handler.change({ id: state.id, command }, { ...context, isNewCommit: true }))
    return { ...row, state: { ...state, decision }, version: row.version + 1 }
  }

  /** For decisions. Reads use `shownVersion`, since confirming takes MongoDB a query for each. */
  const confirmedVersion: VersionOf = async (contractId) =>
    (await events.confirmedVersions([{ category: contractsView.category, id: String(contractId) }]))[0]

  const shownVersion: VersionOf = async (contractId) => (await contractView.get(String(contractId)))?.version

  async function statusOf(proposal: Proposal, versionOf: VersionOf): Promise<ProposalStatus> {
    if (proposal.decision) return proposal.decision.type
    if (clock.stamp() >= expiryOf(proposal)) return 'expired'
    if (proposal.action === 'create') return 'open'
    return (await versionOf(proposal.contractId)) === proposal.contractVersion ? 'open' : 'outdated'
  }

  const withStatus = async (row: Row, versionOf = shownVersion) => ({
    ...row,
    status: await statusOf(row.state, versionOf),
  })

  async function get(id: string) {
    await clock.begin()
    const row = await view.get(id)
    return row && (await withStatus(await withDecision(row), confirmedVersion))
  }

  /**
   * Records the request of a decision under its own commitId before it is carried out, so that no other request is carried
   * out under it, even at the same time.
   */
  async function reserve(id: string, undecided: Row, context: CommandContext) {
    if (context.isNewCommit) return undefined
    return await withFinalRefusal({ ...source, id }, context, async (attempt) => {
      const reserved = await answerUnchanged(source, { id, before: undecided, at: clock.stamp() }, attempt)
      if (reserved.type !== 'wrong-version' && reserved.type !== 'dependency-changed') return reserved
      return ended((await get(id))?.status ?? 'outdated')
    })
  }

  /** Decides on an open proposal. A repeated request, recognised by its commitId, gets the first answer. */
  async function decideOn(
    id: string,
    context: CommandContext,
    { rejectionOf, write }: Deciding,
  ): Promise<ProposalOutcome> {
    const { commitId, requestHash = '', isNewCommit: _, refusals: __, ...caller } = context
    const decision = {
      ...caller,
      commitId: decisionIdOf(id),
      requestHash: hash('sha256', `${commitId}\n${requestHash}`),
    }
    const before = await get(id)
    if (before === undefined) return { type: 'rejected', rejection: { type: 'proposal-not-found' } }
    const earlier = context.isNewCommit ? undefined : await findEarlierAnswer(source, context, id)
    if (earlier?.type === 'key-reused') return earlier
    if (before.state.decision) {
      const isRepeated = (await decisionOn(id))?.receipt.requestHash === decision.requestHash
      return isRepeated ? done(before, true) : ended(before.state.decision.type)
    }
    const rejection = before.status === 'open' ? await rejectionOf(before.state) : ended(before.status).rejection
    const reserved = rejection ? undefined : await reserve(id, before, context)
    if (reserved && reserved.type !== 'done') return reserved
    const reject = async () => ({ type: 'rejected', rejection }) as CommandOutcome<Proposal, ProposalRejection>
    const outcome = await (rejection ? withFinalRefusal(source, decision, reject) : write(before.state, decision))
    if (outcome.type === 'rejected') return outcome
    // Another request may have decided meanwhile, or edited the contract.
    const after = (await get(id)) ?? before
    if (outcome.type !== 'done') return ended(after.status)
    return done(after, outcome.replayed)
  }

  return {
    get,
    make,

    accept: (id: string, context: CommandContext): Promise<ProposalOutcome> =>
      decideOn(id, context, {
        async rejectionOf(proposal) {
          await contracts.refresh()
          return await rejectionOfChange(proposal, context)
        },
        write(proposal, decision) {
          const { action, fields, proposedBy } = proposal
          if (action === 'create') return contracts.create(fields, { ...decision, proposedBy })
          const { contractId, contractVersion } = proposal
          const edit = { id: contractId, changes: fields, expectedVersions: [contractVersion] }
          return contracts.edit(edit, { ...decision, proposedBy })
        },
      }),

    decline: (id: string, reason: string, context: CommandContext): Promise<ProposalOutcome> =>
      decideOn(id, context, {
        rejectionOf: async () => undefined,
        write(_proposal, decision) {
          const command = () => ({ type: 'decline', reason, by: context.actor }) as const
          return handler.change({ id, command }, decision)
        },
      }),

    /** Newest first. */
    async list(query: ListedProposals) {
      await clock.begin()
      const { rows, total } = await pageOf(query)
      const shown = await Promise.all(rows.map(async (row) => withStatus(await withDecision(row))))
      const proposals = shown.filter(({ status }) => (query.status ?? status) === status)
      return { proposals, total: total - (rows.length - proposals.length) }
    },
  }

  async function pageOf({ status, ...page }: ListedProposals) {
    const query = { ...page, search: '' }
    if (status === 'open' || status === 'outdated') return await pageByContract(status, page)
    if (status !== 'expired') return await view.list({ ...query, where: { decision: status } })
    const createdAt = { to: clock.stamp() - LIFETIME }
    return await view.list({ ...query, where: { decision: 'none' }, between: { createdAt } })
  }

  /** A page of undecided proposals, whose status depends on their contracts. Only this page is held in memory. */
  async function pageByContract(status: 'open' | 'outdated', { limit, offset }: Omit<ListedProposals, 'status'>) {
    const query = { ...undecided(), limit: ROWS_PER_READ, offset: 0, withoutTotal: true }
    const found: Row[] = []
    let total = 0
    for (let after: string | undefined; ; ) {
      const { rows } = await view.list({ ...query, after })
      const shown = await Promise.all(rows.map((row) => withStatus(row)))
      const matching = shown.filter((row) => row.status === status)
      found.push(...matching.slice(Math.max(0, offset - total), Math.max(0, offset + limit - total)))
      total += matching.length
      after = rows.at(-1)?.id
      if (rows.length < ROWS_PER_READ) return { rows: found, total }
    }
  }
}

/** A way to decide on an open proposal. */
interface Deciding {
  /** Why the decision would be rejected now; undefined: it would be carried out. */
  rejectionOf(proposal: Proposal): Promise<ProposalRejection | undefined>
  /** Carries it out. */
  write(proposal: Proposal, decision: CommandContext): Promise<CommandOutcome<unknown, ProposalRejection>>
}

/** How long a read waits until a decision is noted. */
const NOTE_TIMEOUT_MILLISECONDS = 1_000

const decisionIdOf = (id: string): string => hash('sha256', `decision on proposal ${id}`)

/** Completes what the log has already, so it can be left for later: undefined if it can't be written now. */
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
