import { CodedError } from '../../../shared/errors.ts'
import type { RejectionTable } from '../../../shared/event-sourcing/rejections.ts'
import { invalidRequest } from '../../../shared/fields/check.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import type { ContractRejection } from '../contract/decide.ts'

/** What the callers of the contracts service are told when the domain refuses. */
export const contractRejections = {
  'contract-not-found': () => new CodedError('not_found', 'There is no contract of this id.'),
  'client-unknown': () =>
    invalidRequest([
      {
        pointer: '/clientId',
        code: 'unknown_client' satisfies ViolationCode,
        message: 'There is no client of this id. Create its business first, or correct the id.',
      },
    ]),
  'client-is-business': ({ clientId }: { readonly clientId: string }) =>
    invalidRequest([
      {
        pointer: '/clientId',
        code: 'business_id' satisfies ViolationCode,
        message: `This is the id of a business, not its clientId. Give its clientId: ${clientId}.`,
      },
    ]),
} satisfies RejectionTable<ContractRejection>

/** For a read of a client. */
export const clientNotFound = () => new CodedError('not_found', 'There is no client of this id.')
