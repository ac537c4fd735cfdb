import type { Deposed, Moment } from '../history.ts'

/**
 * From when on what a read answers may date: from its call, or, where a deposed primary could have answered it, from
 * the moment before that was cut off. Writes are never excused.
 */
export type EarliestOf = (read: { readonly call: Moment; readonly return: Moment; readonly gateway: number }) => Moment

export const earliestIn =
  (deposed: readonly Deposed[]): EarliestOf =>
  ({ call, return: end, gateway }) =>
    deposed
      .filter(({ begins, ends, gateways }) => gateways.includes(gateway) && call <= ends && end >= begins)
      .reduce((earliest, { from }) => Math.min(earliest, from), call)
