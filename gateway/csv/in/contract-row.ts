import { z } from 'zod'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { computedNamesOf, rulesOf } from '../../../shared/fields/field-table.ts'
import { typeMessage } from '../../../shared/fields/rule.ts'
import type { CreateContractRequest } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import { fieldsOf, isEmptyRow, type RowRule, rowRule } from './row-rule.ts'
import { violation } from './violations.ts'

/** A contract as a row gives it: for a client by id, or by name. */
export type ContractRow = Omit<CreateContractRequest, 'clientId'> & {
  readonly clientId?: string | undefined
  /** Any text; not read beside a clientId. */
  readonly client?: string | undefined
}

const cells = rulesOf(contractFields, 'cellRule')
const forAnybody = { ...cells, clientId: cells.clientId.optional(), client: z.string().optional() }
const { columns, read } = rowRule(forAnybody, computedNamesOf(contractFields))

/** The rule of a row that creates a contract. */
export const contractRowRule: RowRule<ContractRow> = {
  columns: { ...columns, required: [['clientId', 'client'], ...columns.required] },
  read(texts, header) {
    const row = read(texts, header)
    const { clientId, client } = fieldsOf(texts, header)
    const isForNobody = clientId === undefined && client === undefined
    const isReadable = texts.length === header.columns.length && !isEmptyRow(texts) && !header.missing.has('clientId')
    if (!isForNobody || !isReadable) return row
    return { type: 'wrong', violations: [FOR_NOBODY, ...(row.type === 'wrong' ? row.violations : [])] }
  },
}

const FOR_NOBODY = violation(
  '/clientId',
  'required',
  typeMessage('the UUID of the client, or its name in the column client')({}),
)
