import { parseTags } from '../../gateway/http/entity-tags.ts'
import { schemasOf } from '../../gateway/records/kind-record.ts'
import { decide } from '../../services/contracts/contract/decide.ts'
import { contractsView } from '../../services/contracts/contract/view.ts'
import { encodeRow } from '../../shared/adapters/sqlite/views/view-shape.ts'
import { BEGINNING, type LogEvent } from '../../shared/event-sourcing/event.ts'
import { foldBatch } from '../../shared/event-sourcing/projector.ts'
import { datesIn } from '../../shared/fields/local-date.ts'
import { GetContractResponse } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { aNewContract } from '../../tests/support/rest.ts'

/** One operation of the core, short enough to run many times in a round. */
export interface MicroCase {
  readonly name: string
  /** How often it runs in a round. */
  readonly times: number
  /** The maximum processor time, as a multiple of the reference; about three times what was measured. */
  readonly limit: number
  run(times: number): void | Promise<void>
}

const { creation: newContract, toRecord: contractRecord } = schemasOf('contract')
const AT = Date.UTC(2026, 0, 31, 9, 30)
const BODY = JSON.stringify(aNewContract({ notes: 'paid in two parts' }))
const CLIENT = '11111111-1111-1111-1111-111111111111'
const FIELDS = { clientId: CLIENT, serviceName: 'Annual accounts', serviceType: 'bookkeeping', serviceFee: '150' }
const CREATE = {
  type: 'create',
  id: 7,
  fields: { ...FIELDS, taxPercent: '13' },
  at: AT,
  firm: { dateAt: datesIn('UTC'), version: 0 },
  clientRefusal: undefined,
  closed: { closedThrough: null, version: 0, overrideReason: undefined },
} as const

/** A creation and an edit of each of some contracts, as in the log. */
const LOG = Array.from({ length: 500 }, (_, index) => {
  const decision = decide(undefined, { ...CREATE, id: index + 1 })
  if (decision.type !== 'accepted') throw new Error('the contract was refused')
  const edited = { type: 'ContractEdited.v1', data: { serviceFee: '160', totalFeeWithTax: '180.8' } }
  return [...decision.events, edited].map((event, version): LogEvent => {
    const stream = { category: contractsView.category, id: `${index + 1}` }
    return { ...event, at: AT, stream, version: version + 1, position: BEGINNING }
  })
})
const [FIRST = []] = LOG
const MESSAGE = {
  contract: { ...FIELDS, id: 7, taxPercent: '13', totalFeeWithTax: '169.5', serviceDate: '2026-01-31', notes: '' },
}
const CONTRACT = { ...MESSAGE.contract, createdAt: AT, updatedAt: AT, version: 1 }

/** The reference: a contract to JSON and back. */
export function reference(times: number): void {
  for (let time = 0; time < times; time++) keep(JSON.parse(JSON.stringify(CONTRACT)))
}

/** A parser that takes quadratic time would need minutes for them. */
const LONG_HEADERS = [' ', ',', '"', 'W/', '"a"'].map((part) => `${part.repeat(16_000)}x`)

function each(work: () => unknown): (times: number) => void {
  return (times) => {
    for (let time = 0; time < times; time++) keep(work())
  }
}

const fold = (state: unknown, event: LogEvent) => contractsView.fold(state as never, event)

const project = () => foldBatch(contractsView, LOG.flat(), () => undefined).map((row) => encodeRow(contractsView, row))

const messageThereAndBack = () =>
  GetContractResponse.decode(GetContractResponse.encode({ contract: CONTRACT }).finish())

/** Uses every result, so that the compiler doesn't eliminate the work. */
function keep(made: unknown): void {
  if (made === undefined) throw new Error('nothing was made')
}

/** Operations within one thread; slow-cases.ts has those that use the disk or a connection. */
export const CASES: readonly MicroCase[] = [
  {
    name: 'parse: a request body by its schema',
    times: 3_000,
    limit: 8,
    run: each(() => newContract.parse(JSON.parse(BODY))),
  },
  {
    name: 'parse: five long malformed If-Match',
    times: 20,
    limit: 2_100,
    run: each(() => LONG_HEADERS.map(parseTags)),
  },
  { name: 'decide: a creation', times: 5_000, limit: 3.5, run: each(() => decide(undefined, CREATE)) },
  { name: 'fold: a creation and an edit', times: 20_000, limit: 0.5, run: each(() => FIRST.reduce(fold, undefined)) },
  { name: 'project: 1,000 events to 500 rows', times: 10, limit: 1_800, run: each(project) },
  {
    name: 'encode: a record as JSON',
    times: 10_000,
    limit: 3,
    run: each(() => JSON.stringify(contractRecord(CONTRACT))),
  },
  { name: 'encode: a message there and back', times: 5_000, limit: 4.5, run: each(messageThereAndBack) },
]
