import { type HistoryEvent, sameFields } from '../../../shared/event-sourcing/history.ts'
import type { Client as ClientMessage } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import type {
  ContractEvent as ContractEventMessage,
  Contract as ContractMessage,
} from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import type { Client } from '../client/evolve.ts'
import type { ContractEvent } from '../contract/events.ts'
import type { Contract } from '../contract/evolve.ts'

/** A contract as proto has it. */
export function contractMessage(contract: Contract, version: number): ContractMessage {
  return { ...contract, version }
}

/** An event as proto has it, with everything that it set, times too, and what that was before. */
export function contractEventMessage(happened: HistoryEvent<Contract, ContractEvent>): ContractEventMessage {
  const { version, by, event, before } = happened
  const { type, at } = event
  const created = type === 'ContractCreated.v1' ? { createdAt: at } : {}
  const data = { ...event.data, ...created, updatedAt: at }
  return { version, type, at, by, data, before: sameFields(before, data) }
}

/** A client as proto has it: its version is its business's. */
export function clientMessage({ sourceVersion, ...client }: Client): ClientMessage {
  return { ...client, version: sourceVersion }
}
