import { contractsView } from '../services/contracts/contract/view.ts'
import type { Database } from '../shared/event-sourcing/database.ts'
import { BEGINNING } from '../shared/event-sourcing/event.ts'
import { foldBatch } from '../shared/event-sourcing/projector.ts'

/** So many are handed to the store at once. */
const AT_ONCE = 2_000
const FIRST_CREATED = Date.UTC(2020, 0, 1)
const KINDS = ['Tax return', 'Annual accounts', 'Payroll', 'Audit', 'Advice', 'Founding', 'Estate']
const CLIENTS = 5_000
/** One contract in so many is named so that a search finds few. */
const RARE = 2_000

/** Appends the creation of contracts 1 to `count`, a minute after each other, through the port as a service would. */
export async function fillWithContracts({ events }: Database, count: number): Promise<void> {
  for (let first = 1; first <= count; first += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - first + 1) }, (_, index) => first + index)
    const outcomes = await Promise.all(numbers.map((number) => events.append(commitOf(number))))
    const failed = outcomes.find(({ type }) => type !== 'appended')
    if (failed) throw new Error(`an append ended with ${failed.type}`)
  }
}

function commitOf(number: number) {
  const stream = { category: contractsView.category, id: `${number}` }
  const commitId = `fill-${number}`
  const event = { type: 'ContractCreated.v1', data: dataOf(number) }
  const metadata = { at: FIRST_CREATED + number * 60_000, by: 'bench', requestId: commitId }
  const recorded = { ...event, ...metadata, position: BEGINNING, stream, version: 1, commitId }
  const rows = foldBatch(contractsView, [recorded], () => undefined)
  return { stream, expectedVersion: 0, commitId, events: [event], metadata, rows }
}

function dataOf(number: number): object {
  const rare = number % RARE === 0 ? ' rare' : ''
  return {
    id: number,
    clientId: `00000000-0000-4000-8000-${`${number % CLIENTS}`.padStart(12, '0')}`,
    serviceName: `${KINDS[number % KINDS.length]} ${number}${rare}`,
    serviceType: KINDS[(number >> 3) % KINDS.length],
    serviceFee: '150',
    taxPercent: '13',
    totalFeeWithTax: '169.5',
    serviceDate: '2026-01-31',
    notes: '',
  }
}
