import type { Deposed, Moment } from '../history.ts'

/**
 * The earliest time that a read's answer may reflect: its call, or, if a deposed primary could have served it, the
 * moment before that primary was cut off. Writes are never excused.
 */
export type EarliestOf = (read: { readonly call: Moment; readonly return: Moment; readonly gateway: number }) => Moment

export const earliestIn =
  (deposed: readonly Deposed[]): EarliestOf =>
  ({ call, return: end, gateway }) =>
    deposed
      .filter(({ begins, ends, gateways }) => gateways.includes(gateway) && call <= ends && end >= begins)
      .reduce((earliest, { from }) => Math.min(earliest, from), call)
