import type { CallContext } from '../../shared/calls/call-context.ts'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { recordExampleOf, toCellsBy } from '../../shared/fields/field-table.ts'
import type { Business } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { ClientsService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import type { Contract } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import type { CsvColumns } from '../routes/record-kinds.ts'

const businessCells = toCellsBy<Business>(businessFields)
const contractCells = toCellsBy<Contract>(contractFields)

/** Businesses as rows of CSV. */
export const businessColumns: CsvColumns<Business> = {
  columns: Object.keys(businessFields),
  example: recordExampleOf(businessFields),
  rows: async (businesses) => businesses.map(businessCells),
}

/** Contracts as rows of CSV, each beside its clientId with the client's name, which is asked for once a page. */
export function contractColumns(clients: ClientsService): CsvColumns<Contract> {
  return {
    columns: Object.keys(contractFields).flatMap((name) => (name === 'clientId' ? [name, 'client'] : [name])),
    example: { ...recordExampleOf(contractFields), client: 'École Montréal', serviceDate: '2026-01-31' },
    async rows(contracts, context) {
      const names = await namesOf(clients, contracts, context)
      return contracts.map((contract) => ({ ...contractCells(contract), client: names.get(contract.clientId) }))
    },
  }
}

async function namesOf(
  clients: ClientsService,
  contracts: readonly Contract[],
  context: CallContext,
): Promise<ReadonlyMap<string, string>> {
  const clientIds = [...new Set(contracts.map(({ clientId }) => clientId))]
  const { names } = await clients.listClientNames({ clientIds }, context)
  return new Map(clientIds.map((clientId, index) => [clientId, names[index] ?? '']))
}
