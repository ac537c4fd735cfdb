import type { RecordJson } from '../api/json.ts'

/** A kind of record: where it is in the API, and what the console calls it. */
export interface RecordKind {
  readonly one: string
  /** Also its path in the API and in the console. */
  readonly many: string
  readonly title: string
  /** The schema of the record, and of what it is created from where callers do that. */
  readonly schema: string
  readonly creation?: string
  /** The field that identifies it. */
  readonly id: string
  /** What a list has no room for; the record's page shows all fields. */
  readonly notInList: readonly string[]
  /** The field that leads from a list to the record. */
  readonly linked: string
  /** What the search of its list finds. */
  readonly searched: string
  /** Whether the API remembers what it was. */
  readonly hasHistory: boolean
  titleOf(record: RecordJson): string
}

export const contracts: RecordKind = {
  one: 'contract',
  many: 'contracts',
  title: 'Contracts',
  schema: 'Contract',
  creation: 'NewContract',
  id: 'id',
  notInList: ['notes', 'createdAt', 'updatedAt'],
  linked: 'id',
  searched: 'Service name or type',
  hasHistory: true,
  titleOf: ({ id, serviceName }) => `Contract ${id}: ${serviceName}`,
}

export const businesses: RecordKind = {
  one: 'business',
  many: 'businesses',
  title: 'Businesses',
  schema: 'Business',
  creation: 'NewBusiness',
  id: 'id',
  notInList: ['id', 'clientId', 'phone', 'ownershipType', 'incorporationDate', 'createdAt', 'updatedAt'],
  linked: 'legalName',
  searched: 'Legal name, trade name or business number',
  hasHistory: true,
  titleOf: ({ legalName }) => legalName,
}

export const clients: RecordKind = {
  one: 'client',
  many: 'clients',
  title: 'Clients',
  schema: 'Client',
  id: 'clientId',
  notInList: ['clientId', 'businessId', 'createdAt'],
  linked: 'displayName',
  searched: 'Name',
  hasHistory: false,
  titleOf: ({ displayName }) => displayName,
}
