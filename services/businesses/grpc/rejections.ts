import { CodedError } from '../../../shared/errors.ts'
import type { RejectionTable } from '../../../shared/event-sourcing/rejections.ts'
import type { BusinessRejection } from '../business/decide.ts'

/** What the callers of the businesses service are told when the domain refuses. */
export const businessRejections = {
  'business-not-found': () => new CodedError('not_found', 'There is no business of this id.'),
} satisfies RejectionTable<BusinessRejection>

/** For a read by the id of a client. */
export const clientNotFound = () => new CodedError('not_found', 'There is no business that is this client.')
