import type { ViewDefinition, ViewRow } from '../../../../event-sourcing/ports/view.ts'
import { encodeId } from '../view-shape.ts'
import { toLimbs } from './limbs.ts'

/** A version of a row as written to the tables of its view's ledger or labels. */
export type EncodedVersion =
  | {
      readonly kind: 'ledger'
      readonly texts: readonly string[]
      /** id, time and version of the row. */
      readonly of: readonly [id: number, at: number, version: number]
      /** The date, then the limbs of each amount. */
      readonly numbers: readonly number[]
    }
  | {
      readonly kind: 'labels'
      readonly values: readonly [id: string | number, since: number, version: number, label: string]
    }

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
    return { kind: 'labels', values: [encodedId, versions.since(state), version, versions.label(state)] }
  }
  return {
    kind: 'ledger',
    texts: Object.values(versions.texts).map((text) => text(state)),
    of: [Number(encodedId), at, version],
    numbers: [encodeDate(versions.date(state)), ...Object.values(versions.amounts).flatMap((of) => toLimbs(of(state)))],
  }
}

/** `2026-01-31` → 20260131. */
export function encodeDate(date: string): number {
  return Number(date.replaceAll('-', ''))
}

/** 20260131 → `2026-01-31`. */
export function decodeDate(number: number): string {
  const digits = String(number).padStart(8, '0')
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`
}

/** 202601 → `2026-01`. */
export function decodeMonth(number: number): string {
  return decodeDate(number * 100).slice(0, 7)
}
