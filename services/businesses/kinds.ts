import type { PlainKinds } from '../../shared/kinds/record-services.ts'
import { businessKind } from './business/concept.ts'

/** The kinds of records of this service. Their commands depend on nothing but the record. */
export const plainKinds = { business: businessKind } satisfies PlainKinds
