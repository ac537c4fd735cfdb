import type { Timed } from '../../../shared/event-sourcing/event.ts'
import { type ContractEvent, type ContractFields, contractDefaults, fieldsSet } from './events.ts'

/** A contract folded from its events; times in milliseconds since the epoch. */
export interface Contract extends ContractFields {
  readonly id: number
  /** As recorded when fee or tax were set. */
  readonly totalFeeWithTax: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** Applies one event. Throws when an edit precedes the creation, which means that the log is damaged. */
export function evolve(contract: Contract | undefined, event: Timed<ContractEvent>): Contract {
  switch (event.type) {
    case 'ContractCreated.v1':
      return { ...contractDefaults, ...fieldsSet(event.data), createdAt: event.at, updatedAt: event.at }
    case 'ContractEdited.v1':
      if (contract === undefined) throw new Error('A contract was edited before it was created.')
      return { ...contract, ...fieldsSet(event.data), updatedAt: event.at }
  }
}
