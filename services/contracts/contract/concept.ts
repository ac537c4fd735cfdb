import { CodedError } from '../../../shared/calls/errors.ts'
import type { RejectionTable } from '../../../shared/event-sourcing/outcomes.ts'
import { foldWhole } from '../../../shared/event-sourcing/search-folding.ts'
import { invalidRequest } from '../../../shared/fields/check.ts'
import { HOW_TO_OVERRIDE_CLOSING } from '../../../shared/fields/closing-fields.ts'
import type { ViolationCode } from '../../../shared/fields/rule.ts'
import type { CheckedConcept } from '../../../shared/kinds/concept.ts'
import { notFound } from '../../../shared/kinds/record-service.ts'
import type { ContractRejection } from './decide.ts'
import type { Contract } from './evolve.ts'
import { contractsView } from './view.ts'

const rejections: RejectionTable<ContractRejection> = {
  'contract-not-found': () => notFound('contract'),
  'client-unknown': () =>
    invalidRequest([
      {
        pointer: '/clientId',
        code: 'unknown_client' satisfies ViolationCode,
        message: 'There is no client with this id. Create its business first, or correct the id.',
      },
    ]),
  'client-is-business': ({ clientId }) =>
    invalidRequest([
      {
        pointer: '/clientId',
        code: 'business_id' satisfies ViolationCode,
        message: `This is the id of a business, not its clientId. Give its clientId: ${clientId}.`,
      },
    ]),
  'period-closed': ({ closedThrough }) =>
    new CodedError('period_closed', `The books are closed through ${closedThrough}. ${HOW_TO_OVERRIDE_CLOSING}`),
}

/** How contracts are listed, shown and rejected. */
export const contractConcept: CheckedConcept<'contract', Contract, ContractRejection> = {
  view: contractsView,
  listed: ({ clientId, clientName, serviceType, serviceDateFrom, serviceDateTo }) => ({
    where: { clientId, serviceType: serviceType && foldWhole(serviceType) },
    related: clientName === undefined ? undefined : { filter: 'clientId', search: clientName },
    between: { serviceDate: { from: serviceDateFrom, to: serviceDateTo } },
  }),
  rejections,
  rejectionField: 'serviceDate',
  toMessage: (contract) => contract,
}
