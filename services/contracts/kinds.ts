import type { PlainKinds } from '../../shared/kinds/record-services.ts'

/** The kinds whose commands depend on the record alone, as listed by `npm run generate`. */
export const plainKinds = {} satisfies PlainKinds
