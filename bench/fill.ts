import { businessesView } from '../services/businesses/business/kind.ts'
import { totalWithTax } from '../services/contracts/contract/decide.ts'
import { contractsView } from '../services/contracts/contract/view.ts'
import { newUuid } from '../shared/calls/ids.ts'
import { BEGINNING } from '../shared/event-sourcing/event.ts'
import type { Database } from '../shared/event-sourcing/ports/database.ts'
import type { Commit } from '../shared/event-sourcing/ports/event-store.ts'
import type { ViewDefinition } from '../shared/event-sourcing/ports/view.ts'
import { foldBatch } from '../shared/event-sourcing/projector.ts'

/** How many are passed to the store at once. */
const AT_ONCE = 2_000
/** When the first record is created; events are a minute apart. */
export const FIRST_CREATED = Date.UTC(2020, 0, 1)
export const MINUTE = 60_000
const KINDS = ['Tax return', 'Annual accounts', 'Payroll', 'Audit', 'Advice', 'Founding', 'Estate']
const CLIENTS = 5_000
/** One contract in this many has a rare name. */
const RARE = 2_000

/** Creates this many contracts, one a minute, through the ports as the service would. */
export async function fillWithContracts(database: Database, count: number): Promise<void> {
  const numbers = database.sequence(contractsView.category)
  await append(database, count, async () => {
    const number = await numbers.next()
    const event = { type: 'ContractCreated.v1', data: contractOf(number) }
    return creationOf(contractsView, { id: `${number}`, number, event })
  })
}

/** Creates this many businesses, one a minute, through the ports as the service would. */
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

/** Coprime to the numbers of contracts, so that edits spread over all of them. */
const STRIDE = 7_919

/** Edits the fees of this many contracts, one a minute, after all of them were created. */
export async function editContracts(
  database: Database,
  { contracts, edits }: { readonly contracts: number; readonly edits: number },
): Promise<void> {
  const view = database.view(contractsView)
  let last = 0
  await append(database, edits, async () => {
    const number = ++last
    const id = `${1 + ((number * STRIDE) % contracts)}`
    const row = await view.get(id)
    if (row === undefined) throw new Error(`there is no contract ${id}`)
    const serviceFee = feeOf(number + contracts)
    const data = { serviceFee, totalFeeWithTax: totalWithTax(serviceFee, row.state.taxPercent) }
    const stream = { category: contractsView.category, id }
    const commitId = `edit-${number}`
    const metadata = { at: FIRST_CREATED + (contracts + number) * MINUTE, by: 'bench', requestId: commitId }
    const event = { type: 'ContractEdited.v1', data }
    const recorded = { ...event, ...metadata, position: BEGINNING, stream, version: row.version + 1, commitId }
    const rows = foldBatch(contractsView, [recorded], () => row)
    return { stream, expectedVersion: row.version, commitId, events: [event], metadata, rows }
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
  const metadata = { at: FIRST_CREATED + number * MINUTE, by: 'bench', requestId: commitId }
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
    serviceFee: feeOf(number),
    taxPercent: TAX,
    totalFeeWithTax: totalWithTax(feeOf(number), TAX),
    serviceDate: `${2024 + (Math.floor(number / 12) % 3)}-${`${1 + (number % 12)}`.padStart(2, '0')}-${`${1 + (number % 28)}`.padStart(2, '0')}`,
    notes: '',
  }
}

const TAX = '8.25'

/** Up to 1,000, with cents. */
const feeOf = (number: number): string => `${((number * 37) % 100_000) / 100}`

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
