import type { PlainKinds } from '../../shared/kinds/record-services.ts'
import { businessKind } from './business/kind.ts'

/** The kinds of records here whose commands depend on nothing but the record, as `npm run generate` lists them. */
export const plainKinds = {
  business: businessKind,
} satisfies PlainKinds
