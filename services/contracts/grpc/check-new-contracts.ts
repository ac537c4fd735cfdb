import type { z } from 'zod'
import type { CodedError, Violation } from '../../../shared/calls/errors.ts'
import type { CommandContext } from '../../../shared/event-sourcing/command-context.ts'
import { check } from '../../../shared/fields/check.ts'
import type { ContractToCheck, ContractVerdict } from '../../../shared/gen/mint/contracts/v1/contracts.ts'
import { checkEach } from '../../../shared/rpc/server/check-each.ts'
import type { ContractCommands } from '../contract/commands.ts'
import type { ContractRejection, NewContract } from '../contract/decide.ts'

interface CheckParts {
  readonly commands: ContractCommands
  readonly rule: z.ZodObject & z.core.$ZodType<NewContract>
  readonly toError: (rejection: ContractRejection) => CodedError
}

/** What creating each of these contracts would be answered with. Throws StoreUnavailable and CodedError. */
export async function checkNewContracts(
  parts: CheckParts,
  contracts: readonly ContractToCheck[],
  context: CommandContext,
): Promise<ContractVerdict[]> {
  await parts.commands.refreshClosing()
  return await checkEach(contracts, '/contracts', (one) => verdictOn(parts, one, context))
}

async function verdictOn(
  { commands, rule, toError }: CheckParts,
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
  const rejection = await commands.rejectionOf(checked.value as NewContract, context)
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
