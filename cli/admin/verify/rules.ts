import type { Business } from '../../../services/businesses/business/evolve.ts'
import type { Client } from '../../../services/contracts/client/evolve.ts'
import type { Contract } from '../../../services/contracts/contract/evolve.ts'
import { totalWithTax } from '../../../services/contracts/contract/money.ts'
import type { LogEvent } from '../../../shared/event-sourcing/event.ts'
import { createFingerprints } from './fingerprints.ts'
import type { Rule } from './folded-streams.ts'

/**
 * What the events of a whole Mint must agree upon, by category, for one pass over the logs: the businesses' log first, as
 * clients are checked against the businesses that were met. `unknownClients` are those whose business was not among them.
 */
export function createMintRules() {
  const businesses = createFingerprints()
  const unknownClients = new Map<string, Client>()
  const rules = {
    contract: checkTotal,
    business({ id, clientId }: Business, { version }: LogEvent): undefined {
      if (version > 1) return
      businesses.add(`${clientId} ${id}`)
      unknownClients.delete(`${clientId} ${id}`)
    },
    client(client: Client, { version }: LogEvent): undefined {
      const key = `${client.clientId} ${client.businessId}`
      if (version === 1 && !businesses.has(key)) unknownClients.set(key, client)
    },
  }
  return { rules, unknownClients: unknownClients as ReadonlyMap<string, Client> }
}

const SUMS = ['serviceFee', 'taxPercent', 'totalFeeWithTax']

/** Totals are recorded, not computed when they are read: this is the rule by which they all were. */
function checkTotal({ serviceFee, taxPercent, totalFeeWithTax }: Contract, { data }: LogEvent): ReturnType<Rule> {
  if (!SUMS.some((field) => field in data)) return undefined
  const right = totalWithTax(serviceFee, taxPercent)
  if (totalFeeWithTax === right) return undefined
  const message = `${serviceFee} with ${taxPercent} % tax is ${right}, recorded is ${totalFeeWithTax}`
  return { kind: 'total', message }
}
