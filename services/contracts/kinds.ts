import type { PlainKinds } from '../../shared/kinds/record-services.ts'

/** The kinds of records here whose commands depend on nothing but the record, as `npm run generate` lists them. */
export const plainKinds = {} satisfies PlainKinds
