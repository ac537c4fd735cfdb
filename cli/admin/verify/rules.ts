import type { Business } from '../../../services/businesses/business/evolve.ts'
import type { Client } from '../../../services/contracts/client/evolve.ts'
import type { Contract } from '../../../services/contracts/contract/evolve.ts'
import { totalWithTax } from '../../../services/contracts/contract/money.ts'
import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import { createFingerprints } from './fingerprints.ts'
import type { Rule } from './folded-streams.ts'

/** What the events of a whole Mint must agree upon. */
export interface MintRules {
  /** For the businesses' log first: clients are checked against the businesses that were met. */
  readonly rules: Readonly<Record<'contract' | 'business' | 'client', Rule>>
  /** Clients whose business was not among them. */
  unknownClients(): readonly Client[]
}

/** The rules, for one pass over the logs. */
export function createMintRules(): MintRules {
  const businesses = createFingerprints()
  let unknown: Client[] = []
  const rules: MintRules['rules'] = {
    contract: checkTotal,
    business({ id, clientId }: Business, { version }) {
      if (version > 1) return undefined
      businesses.add(`${clientId} ${id}`)
      unknown = unknown.filter((client) => client.clientId !== clientId || client.businessId !== id)
      return undefined
    },
    client(client: Client, { version }) {
      if (version === 1 && !businesses.has(`${client.clientId} ${client.businessId}`)) unknown.push(client)
      return undefined
    },
  }
  return { rules, unknownClients: () => unknown }
}

/** Totals are recorded, not computed when they are read: this is the rule by which they all were. */
function checkTotal(contract: Contract, { data }: LogEvent): ReturnType<Rule> {
  if (!SUMS.some((field) => field in data)) return undefined
  const { serviceFee, taxPercent, totalFeeWithTax } = contract
  const right = totalWithTax(serviceFee, taxPercent)
  if (totalFeeWithTax === right) return undefined
  return {
    kind: 'total',
    message: `${serviceFee} with ${taxPercent} % tax is ${right}, recorded is ${totalFeeWithTax}`,
  }
}

const SUMS = ['serviceFee', 'taxPercent', 'totalFeeWithTax']
