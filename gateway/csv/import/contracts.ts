import { z } from 'zod'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { computedNamesOf, rulesOf } from '../../../shared/fields/field-table.ts'
import { typeMessage } from '../../../shared/fields/rule.ts'
import type { ClientsService } from '../../../shared/gen/mint/contracts/v1/clients.ts'
import type {
  ContractsService,
  ContractToCheck,
  CreateContractRequest,
} from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import { createClientsByName } from './clients-by-name.ts'
import type { CsvImport, ImportCalls, RowVerdict, ValidRow } from './csv-import.ts'
import { fieldsOf, type RowRule, rowRule } from './row-rule.ts'
import { violation } from './violations.ts'

/** A contract as a row gives it: its client by id, or by name. */
type ContractRow = Omit<CreateContractRequest, 'clientId'> & {
  readonly clientId?: string | undefined
  /** Any text; ignored if there is a clientId. */
  readonly client?: string | undefined
}

const cells = rulesOf(contractFields, 'cellRule')
const withClient = { ...cells, clientId: cells.clientId.optional(), client: z.string().optional() }
const { columns, read } = rowRule(withClient, computedNamesOf(contractFields))

/** The rule of a row that creates a contract. */
const contractRowRule: RowRule<ContractRow> = {
  columns: { ...columns, required: [['clientId', 'client'], ...columns.required] },
  read(texts, header) {
    const row = read(texts, header)
    const { clientId, client } = fieldsOf(texts, header)
    const hasNoClient = clientId === undefined && client === undefined
    const isReadable = texts.length === header.columns.length && !header.missing.has('clientId')
    if (!hasNoClient || !isReadable) return row
    return { type: 'invalid', violations: [NO_CLIENT, ...(row.type === 'invalid' ? row.violations : [])] }
  },
}

const NO_CLIENT = violation(
  '/clientId',
  'required',
  typeMessage('the UUID of the client, or its name in the column client')({}),
)

/** What is different about importing contracts. */
export function contractsImport(
  contracts: ContractsService,
  clients: ClientsService,
): Pick<CsvImport<ContractRow, CreateContractRequest>, 'rule' | 'judge'> {
  return { rule: contractRowRule, judge: (calls) => judge(contracts, clients, calls) }
}

async function judge(contracts: ContractsService, clients: ClientsService, calls: ImportCalls) {
  const { commitOf, context, inTime } = calls
  const findClients = createClientsByName(clients, calls)
  const check = async (rows: ContractToCheck[]) => {
    const { verdicts } = await inTime(contracts.checkNewContracts({ contracts: rows }, context()), false)
    return verdicts
  }
  // The first row is written before all others: without it, no row of this file has been written.
  const [first] = commitOf ? await check([{ contract: undefined, ...commitOf(1) }]) : []
  const earlier = first?.replayed ? commitOf : undefined

  return async (rows: readonly ValidRow<ContractRow>[]): Promise<readonly RowVerdict<CreateContractRequest>[]> => {
    if (rows.length === 0) return []
    const names = rows.flatMap(({ fields: { clientId, client } }) =>
      clientId === undefined && client !== undefined ? [client] : [],
    )
    const found = await findClients(names)
    const resolved = rows.map(({ fields: { client, ...fields } }): RowVerdict<CreateContractRequest> => {
      if (fields.clientId !== undefined) return { type: 'new', fields: { ...fields, clientId: fields.clientId } }
      // Its columns are missing, which the header's violations report.
      if (client === undefined) return { type: 'invalid', violations: [] }
      const one = found.get(client)
      if (one === undefined) throw new Error('a client was not searched for')
      if ('violation' in one) return { type: 'invalid', violations: [one.violation] }
      return { type: 'new', fields: { ...fields, clientId: one.clientId } }
    })
    const verdicts = await check(
      resolved.map((verdict, index) => ({
        contract: verdict.type === 'new' ? verdict.fields : undefined,
        ...earlier?.(rows[index]?.number ?? 0),
      })),
    )
    return resolved.map((verdict, index) => {
      const { replayed = false, id, refusals: violations = [] } = verdicts[index] ?? {}
      if (replayed) return { type: 'replayed', id }
      return violations.length > 0 ? { type: 'invalid', violations } : verdict
    })
  }
}
