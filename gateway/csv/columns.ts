import type { CallContext } from '../../shared/calls/call-context.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { type AnyTable, recordExampleOf, toCellsBy } from '../../shared/fields/field-table.ts'
import type { ClientsService } from '../../shared/gen/mint/contracts/v1/clients.ts'
import type { Contract } from '../../shared/gen/mint/contracts/v1/contracts.ts'

/** Records as rows of CSV; by default, of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: only the functions of its own kind see the records
export interface CsvColumns<Record = any> {
  /** Their names, in order. */
  readonly columns: readonly string[]
  /** A row, by column. */
  readonly example: object
  /** The rows of some records, by column. */
  rows(records: readonly Record[], context: CallContext): Promise<readonly object[]>
}

/** Records as rows with a column for each field. */
export function columnsOf(table: AnyTable): CsvColumns<object> {
  const cells = toCellsBy<object>(table)
  return {
    columns: Object.keys(table),
    example: recordExampleOf(table),
    rows: async (records) => records.map(cells),
  }
}

/** Contracts as rows of CSV, with the client's name after the clientId. Names are requested once per page. */
export function contractColumns(clients: ClientsService): CsvColumns<Contract> {
  const contractCells = toCellsBy<Contract>(contractFields)
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
