import { businessesView } from '../services/businesses/business/view.ts'
import { contractsView } from '../services/contracts/contract/view.ts'
import { newUuid } from '../shared/calls/ids.ts'
import { BEGINNING } from '../shared/event-sourcing/event.ts'
import type { Database } from '../shared/event-sourcing/ports/database.ts'
import type { Commit } from '../shared/event-sourcing/ports/event-store.ts'
import type { ViewDefinition } from '../shared/event-sourcing/ports/view.ts'
import { foldBatch } from '../shared/event-sourcing/projector.ts'

/** So many are handed to the store at once. */
const AT_ONCE = 2_000
const FIRST_CREATED = Date.UTC(2020, 0, 1)
const KINDS = ['Tax return', 'Annual accounts', 'Payroll', 'Audit', 'Advice', 'Founding', 'Estate']
const CLIENTS = 5_000
/** One contract in so many is named so that a search finds few. */
const RARE = 2_000

/** Creates so many contracts, a minute after each other, through the ports as the service would. */
export async function fillWithContracts(database: Database, count: number): Promise<void> {
  const numbers = database.sequence(contractsView.category)
  await append(database, count, async () => {
    const number = await numbers.next()
    const event = { type: 'ContractCreated.v1', data: contractOf(number) }
    return creationOf(contractsView, { id: `${number}`, number, event })
  })
}

/** Creates so many businesses, a minute after each other, through the ports as the service would. */
export async function fillWithBusinesses(database: Database, count: number): Promise<void> {
  let number = 0
  await append(database, count, async () => {
    const id = newUuid()
    number += 1
    return creationOf(businessesView, {
      id,
      number,
      event: { type: 'BusinessCreated.v1', data: businessOf(id, number) },
    })
  })
}

async function append({ events }: Database, count: number, next: () => Promise<Commit>): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const outcomes = await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, left) }, async () => events.append(await next())),
    )
    const failed = outcomes.find(({ type }) => type !== 'appended')
    if (failed) throw new Error(`an append ended with ${failed.type}`)
  }
}

interface Creation {
  readonly id: string
  readonly number: number
  readonly event: { readonly type: string; readonly data: object }
}

function creationOf<State>(definition: ViewDefinition<State>, { id, number, event }: Creation): Commit {
  const stream = { category: definition.category, id }
  const commitId = `fill-${number}`
  const metadata = { at: FIRST_CREATED + number * 60_000, by: 'bench', requestId: commitId }
  const recorded = { ...event, ...metadata, position: BEGINNING, stream, version: 1, commitId }
  const rows = foldBatch(definition, [recorded], () => undefined)
  return { stream, expectedVersion: 0, commitId, events: [event], metadata, rows }
}

function contractOf(number: number): object {
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

function businessOf(id: string, number: number): object {
  return {
    id,
    clientId: newUuid(),
    legalName: `Firm ${number} Ltd.`,
    operatedAs: `Firm ${number}`,
    businessNumber: `${number}`.padStart(9, '0'),
    taxId: null,
    phone: '+1 514 555 0100',
    email: 'office@example.com',
    ownershipType: 'private',
    industryType: 'service',
    incorporationDate: '2019-04-01',
  }
}
