// The contract of the Emmett peers: one event, and the state after it.
import type { Event } from '@event-driven-io/emmett'
import { contractOf, type NewContract } from './answer.ts'

export type Contract = ReturnType<typeof contractOf>
export type ContractCreated = Event<'ContractCreated', Contract>
type State = { status: 'missing' } | ({ status: 'created' } & Contract)

export const initialState = (): State => ({ status: 'missing' })

export const evolve = (_state: State, { data }: ContractCreated): State => ({ status: 'created', ...data })

export function create(body: NewContract, state: State): ContractCreated {
  if (state.status !== 'missing') throw new Error('the contract exists already')
  return { type: 'ContractCreated', data: contractOf(body) }
}
