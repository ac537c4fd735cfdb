import type { ViewDefinition, ViewRow } from '../../../event-sourcing/ports/view.ts'
import { encodeId } from '../views/encode-id.ts'
import { encodeAmount } from './amounts.ts'

/**
 * A version of a row as written to the tables of its view's ledger or labels: the values of the columns, in their
 * order; for a ledger, with texts in place of their codes, and without the columns that follow from the version before.
 * Flat, since every commit posts it to the writer thread.
 */
export type EncodedVersion = readonly (string | number)[]

/** Encodes a version of a row; undefined when the view stores only the last one. */
export function encodeVersion<State>(
  definition: ViewDefinition<State>,
  { id, version, at, state }: ViewRow<State>,
): EncodedVersion | undefined {
  const { name, versions } = definition
  if (versions === undefined) return undefined
  const encodedId = encodeId(definition, id)
  if (encodedId === undefined) throw new Error(`view ${name}: expected a numeric id, not ${id}`)
  if (versions.kind === 'labels') {
    const { era, number, since, label } = versions
    return [encodedId, era(state), number(state), version, since(state), label(state)]
  }
  const values: (string | number)[] = [encodedId, version, at]
  for (const text of Object.values(versions.texts)) values.push(text(state))
  values.push(...encodeDate(versions.date(state)))
  for (const amount of Object.values(versions.amounts)) values.push(...encodeAmount(amount(state)))
  return values
}

/** `2026-01-31` → 202601 and 31. */
export function encodeDate(date: string): [month: number, day: number] {
  return [Number(date.slice(0, 4) + date.slice(5, 7)), Number(date.slice(8))]
}

/** 202601 and 31 → `2026-01-31`. */
export function decodeDate(month: number, day: number): string {
  return `${decodeMonth(month)}-${String(day).padStart(2, '0')}`
}

/** 202601 → `2026-01`. */
export function decodeMonth(month: number): string {
  const digits = String(month).padStart(6, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4)}`
}
