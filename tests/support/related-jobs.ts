import { randomUUID } from 'node:crypto'
import type { Commit } from '../../shared/event-sourcing/ports/event-store.ts'
import type { ListQuery, ViewDefinition, ViewRow } from '../../shared/event-sourcing/ports/view.ts'
import { type Job, jobs } from './jobs.ts'
import { plainSearch } from './plain-search.ts'

/** A person for whom jobs are done. */
export interface Person {
  readonly name: string
  readonly createdAt: number
}

/** People with any text as ids. */
export const people: ViewDefinition<Person> = {
  name: 'people',
  category: 'person',
  idOrder: 'text',
  createdAt: ({ createdAt }) => createdAt,
  filters: {},
  searchTexts: [({ name }) => name],
  fold: (state, event) => ({ name: '', createdAt: event.at, ...state, ...event.data }),
}

/** Jobs whose `client` is the id of a person. */
export const relatedJobs: ViewDefinition<Job> = {
  ...jobs,
  name: 'related_jobs',
  relations: { client: people },
}

/** A commit that creates a person, or renames the one in `before`. */
export function named(id: string, name: string, at: number, before?: ViewRow<Person>): Commit {
  const expectedVersion = before?.version ?? 0
  const state = { createdAt: before?.state.createdAt ?? at, name }
  const row = { view: people.name, id, version: expectedVersion + 1, at, state }
  return commitOf(people, row, before ? 'PersonRenamed.v1' : 'PersonCreated.v1', { name })
}

/** A commit that creates a job. */
export function relatedJob(id: string, fields: Omit<Job, 'createdAt'>, at: number): Commit {
  const row = { view: relatedJobs.name, id, version: 1, at, state: { ...fields, createdAt: at } }
  return commitOf(relatedJobs, row, 'JobCreated.v1', fields)
}

/** What a plain scan of all people and jobs, newest first, finds. */
export function scanned(
  allJobs: readonly ViewRow<Job>[],
  allPeople: readonly ViewRow<Person>[],
  { where, between = {}, related, search, limit, offset, after, withoutTotal }: ListQuery,
) {
  const isNamed = plainSearch(related?.search ?? '')
  const isFound = plainSearch(search)
  const isForAnybody = isNamed([])
  const found = new Set(allPeople.filter(({ state }) => isNamed([state.name])).map(({ id }) => id))
  const { from, to } = between.due ?? {}
  const isMatching = ({ state }: ViewRow<Job>) =>
    (isForAnybody || found.has(state.client)) &&
    (where.client === undefined || state.client === where.client) &&
    (where.kind === undefined || state.kind === where.kind) &&
    (from === undefined || state.due >= from) &&
    (to === undefined || state.due <= to) &&
    isFound([state.title, state.kind])
  const matching = allJobs.filter(isMatching)
  const rest = after === undefined ? matching : afterwards(allJobs, after).filter(isMatching)
  return { rows: rest.slice(offset, offset + limit), total: withoutTotal ? 0 : matching.length }
}

/** All, if no person has the id. */
const afterwards = (rows: readonly ViewRow<Job>[], after: string) =>
  rows.slice(rows.findIndex(({ id }) => id === after) + 1)

function commitOf<State>(view: ViewDefinition<State>, row: ViewRow<State>, type: string, data: object): Commit {
  return {
    stream: { category: view.category, id: row.id },
    expectedVersion: row.version - 1,
    commitId: randomUUID(),
    events: [{ type, data }],
    metadata: { at: row.at, by: 'ann', requestId: 'request-1' },
    rows: [row],
  }
}
