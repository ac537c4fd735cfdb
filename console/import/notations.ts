import type { FieldKind } from '../fields/overrides.ts'
import { decimals } from '../format/formats.ts'
import { createNumberNotation, dateNotation, type Notation } from './spelling.ts'
import { shareNotation } from './tax-shares.ts'

const numberNotation = createNumberNotation(decimals)

/** Those that columns can be in. */
export const notations: readonly Notation[] = [numberNotation, dateNotation, shareNotation]

/** How a column is written that becomes such a field; undefined: as it is. */
export function notationOf(kind: FieldKind | undefined): Notation | undefined {
  if (kind === 'date') return dateNotation
  return kind === 'amount' || kind === 'decimal' ? numberNotation : undefined
}
