import type { PlainKinds } from '../../shared/kinds/record-services.ts'
import { businessKind } from './business/kind.ts'

/** The kinds whose commands depend on the record alone, as listed by `npm run generate`. */
export const plainKinds = {
  business: businessKind,
} satisfies PlainKinds
