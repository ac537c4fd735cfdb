import { z } from 'zod'
import type { CallContext } from '../../../shared/calls/call-context.ts'
import type { CodedError, Violation } from '../../../shared/calls/errors.ts'
import { type CommandContext, toCommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { check } from '../../../shared/fields/check.ts'
import { contractFields } from '../../../shared/fields/contract-fields.ts'
import { rulesOf } from '../../../shared/fields/field-table.ts'
import type {
  CheckNewContractsRequest,
  ContractToCheck,
  ContractVerdict,
} from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import { checkEach } from '../../../shared/kinds/check-each.ts'
import type { ContractCommands } from '../contract/commands.ts'
import { contractConcept } from '../contract/concept.ts'
import type { ContractRejection } from '../contract/decide.ts'

const rule = z.object(rulesOf(contractFields, 'rule'))

const toError = (rejection: ContractRejection): CodedError =>
  contractConcept.rejections[rejection.type](rejection as never)

/** What creating each of these contracts would be answered with. Throws StoreUnavailable and CodedError. */
export async function checkNewContracts(
  commands: ContractCommands,
  { contracts }: CheckNewContractsRequest,
  context: CallContext | undefined,
): Promise<{ verdicts: ContractVerdict[] }> {
  await commands.refreshClosing()
  const command = toCommandContext(context)
  return { verdicts: await checkEach(contracts, '/contracts', (one) => verdictOn(commands, one, command)) }
}

async function verdictOn(
  commands: ContractCommands,
  { contract, commitId, requestHash }: ContractToCheck,
  context: CommandContext,
): Promise<ContractVerdict> {
  // A remembered answer comes before every check.
  const earlier = commitId === undefined ? 'none' : await commands.findEarlier({ commitId, requestHash })
  if (earlier !== 'none') {
    return { replayed: earlier === 'replayed', keyReused: earlier === 'key-reused', refusals: [] }
  }
  if (contract === undefined) return refusedFor([])
  const checked = check(rule, contract)
  if (checked.type === 'invalid') return refusedFor(checked.violations)
  const rejection = await commands.rejectionOf(checked.value, context)
  return refusedFor(rejection ? refusalsOf(toError(rejection)) : [])
}

const refusedFor = (refusals: readonly Violation[]): ContractVerdict => ({
  replayed: false,
  keyReused: false,
  refusals: [...refusals],
})

/** One that names no field is about the date of service, the only other thing that rules depend on. */
function refusalsOf({ code, message, violations }: CodedError): Violation[] {
  return violations.length > 0 ? [...violations] : [{ pointer: '/serviceDate', code, message }]
}
