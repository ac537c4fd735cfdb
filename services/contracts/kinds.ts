import type { PlainKinds } from '../../shared/kinds/record-services.ts'

/** The kinds of records of this service whose commands depend on nothing but the record. */
export const plainKinds = {} satisfies PlainKinds
