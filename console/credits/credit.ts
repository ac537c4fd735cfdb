import Big from 'big.js'
import type { RecordJson } from '../api/json.ts'

/** How a credit names its contract; people may write more around it. */
const NOTE = /\bCredit for contract ([1-9]\d{0,15})\b/

/** A new contract that takes back what another one billed. Its note links the two. */
export function creditOf({ id, ...contract }: RecordJson, serviceDate: string): RecordJson {
  const serviceFee = new Big(contract.serviceFee).neg().toFixed()
  return { ...contract, serviceFee, serviceDate, notes: `Credit for contract ${id}` }
}

/** The number of the contract that this one credits; undefined: it is no credit. */
export function creditedBy({ notes }: RecordJson): string | undefined {
  return NOTE.exec(notes)?.[1]
}
