import { withTimeout } from '../../shared/async/with-timeout.ts'
import type { CallContext } from '../../shared/calls/call-context.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { StatusService } from '../../shared/gen/mint/operations/v1/status.ts'
import { documentListed } from '../openapi/documented.ts'
import { deadLetterPage, deadLetterRecord, replayOrder, replayShape } from '../records/dead-letter-record.ts'
import { type StatusAnswer, statusRecord, statusShape } from '../records/status-record.ts'
import { pageQuery } from '../schemas/read-parameters.ts'
import { listed } from './answer.ts'
import { endpoint, JSON_BODY, type Route } from './endpoint.ts'
import { nextPage } from './next-page.ts'

const status = endpoint({
  operationId: 'getStatus',
  summary: 'Get the status of Mint',
  description:
    'Whether it is ready, which processes run in which version, and how far views, relays and consumers are behind the logs. Answers 200 even if something is unavailable, and says what and why.',
  answers: { 200: { description: 'The status.', schema: statusShape } },
  scope: 'operations:read',
  answer: async ({ context }, { readiness, gatewayStatus, contractsStatus, businessesStatus }) => {
    const [ready, gateway, contracts, businesses] = await Promise.all([
      readiness(),
      statusOf(gatewayStatus, context),
      statusOf(contractsStatus, context),
      statusOf(businessesStatus, context),
    ])
    return listed(JSON.stringify(statusRecord(ready, { gateway, contracts, businesses })))
  },
})

/** How long a service may take: one that hangs must not keep the answers of the others from the caller. */
const TIMEOUT_MILLISECONDS = 2_000

async function statusOf(service: StatusService, context: CallContext): Promise<StatusAnswer> {
  try {
    return { type: 'answered', status: await withTimeout(TIMEOUT_MILLISECONDS, service.getStatus({}, context), late) }
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return { type: 'failed', problem: error.message }
  }
}

const late = (): CodedError => new CodedError('unavailable', `No answer within ${TIMEOUT_MILLISECONDS / 1000} seconds.`)

const list = endpoint({
  operationId: 'listDeadLetters',
  summary: 'List dead letters, oldest first',
  description:
    'Messages of the businesses topic that the contracts service could not understand, or that are not signed, and that it set aside. Their values are not shown, because they are records of businesses: see `cli/mint dead-letters list`.',
  answers: documentListed(deadLetterPage),
  scope: 'operations:read',
  query: pageQuery,
  answer: async ({ query, context }, { deadLetters: service }) => {
    const { deadLetters, total } = await service.listDeadLetters(query, context)
    const next = nextPage(query, { count: deadLetters.length, total })
    return listed(JSON.stringify({ deadLetters: deadLetters.map(deadLetterRecord), total }), next)
  },
})

const replay = endpoint({
  operationId: 'replayDeadLetters',
  summary: 'Handle dead letters again',
  description:
    'Those that can now be handled are no longer dead letters; the others stay. Safe to repeat: a message that was already handled changes nothing. A request takes a few seconds at most, and lists what it got to: repeat it while `remaining` is not 0 and it lists ids that no earlier answer did. Outcomes: `handled`; `set_aside_again`: it still can’t be handled; `too_large`: only its beginning was set aside, so it can’t be replayed; `not_found`: there is no such dead letter, perhaps because it was already replayed.',
  answers: { 200: { description: 'What was replayed, and how many stay.', schema: replayShape } },
  scope: 'operations:write',
  body: { schema: replayOrder, computed: [], mediaTypes: JSON_BODY, optional: true },
  refusesWriteHeaders: true,
  answer: async ({ body: { ids = [] }, context }, { deadLetters: service }) => {
    const { replayed, remaining } = await service.replayDeadLetters({ ids: [...ids] }, context)
    return listed(JSON.stringify({ replayed, remaining }))
  },
})

/** For operators: the status of Mint, and messages that were set aside. */
export const operationsRoutes: readonly Route[] = [
  { path: '/operations/status', methods: { GET: status } },
  { path: '/operations/dead-letters', methods: { GET: list } },
  { path: '/operations/dead-letters/replay', methods: { POST: replay } },
]
