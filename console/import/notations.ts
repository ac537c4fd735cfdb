import type { FieldKind } from '../fields/overrides.ts'
import { decimals } from '../format/formats.ts'
import { locales } from '../languages/texts.ts'
import { dateOrderOf } from './evidence.ts'
import { createNumberNotation, dateNotation, type Notation, shareNotation } from './spelling.ts'

const numberNotation = createNumberNotation(decimals)

/** The notations that columns can be in. */
export const notations: readonly Notation[] = [numberNotation, dateNotation, shareNotation]

/** How the reader's language writes. */
export const habits = { mark: decimals.mark, dateOrder: dateOrderOf(locales) }

/** The notation of a column that fills such a field; undefined: its cells are sent unchanged. */
export function notationOf(kind: FieldKind | undefined): Notation | undefined {
  if (kind === 'date') return dateNotation
  return kind === 'amount' || kind === 'decimal' ? numberNotation : undefined
}
