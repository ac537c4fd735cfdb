import type { Numbers } from '../../any-thread/ledger/chunks.ts'
import { BASE, LIMBS, toDecimal } from '../../any-thread/ledger/limbs.ts'
import { doubled } from './doubled.ts'

/** The limbs of a sum: the highest of an amount would overflow after 800 million entries. */
const WIDTH = LIMBS + 1

/** Where a sum's limb is in `Groups.limbs`; `limb` counts those of all amounts, LIMBS for each. */
export const placeOf = (limb: number): number => Math.floor(limb / LIMBS) * WIDTH + (limb % LIMBS)

/**
 * Groups of entries, numbered from 0, each with a count and the limbs of its amounts added up. One array for each limb
 * and not a row for each group: a pass over one column stays within the processor's cache.
 */
export interface Groups {
  readonly amounts: number
  count: number
  /** By group; whoever groups by fewer leaves them 0. */
  first: Uint32Array
  second: Uint32Array
  counts: Float64Array
  /** WIDTH for each amount, lowest first. */
  limbs: Float64Array[]
}

/** Some entries of a chunk. */
export interface Selected {
  readonly indexes: Int32Array
  /** How many of `indexes` are meant. */
  readonly count: number
}

const CAPACITY = 64

/** No groups yet, for so many amounts. */
export function createGroups(amounts: number): Groups {
  return {
    amounts,
    count: 0,
    first: new Uint32Array(CAPACITY),
    second: new Uint32Array(CAPACITY),
    counts: new Float64Array(CAPACITY),
    limbs: Array.from({ length: amounts * WIDTH }, () => new Float64Array(CAPACITY)),
  }
}

/** Adds a group with these keys, and returns its number. */
export function addGroup(groups: Groups, first: number, second: number): number {
  const group = groups.count++
  if (group === groups.counts.length) {
    groups.first = doubled(groups.first, Uint32Array)
    groups.second = doubled(groups.second, Uint32Array)
    groups.counts = doubled(groups.counts, Float64Array)
    groups.limbs = groups.limbs.map((limb) => doubled(limb, Float64Array))
  }
  groups.first[group] = first
  groups.second[group] = second
  return group
}

/** Adds entries of a chunk to their groups, one of which each of `selected` has in `ofEach`. */
export function addEntries(
  { counts, limbs }: Groups,
  { indexes, count }: Selected,
  ofEach: Int32Array,
  columns: readonly (Numbers | undefined)[],
): void {
  for (let n = 0; n < count; n++) {
    const group = ofEach[n] as number
    counts[group] = (counts[group] as number) + 1
  }
  for (const [limb, column] of columns.entries()) {
    if (column === undefined) continue
    const sums = limbs[placeOf(limb)] as Float64Array
    for (let n = 0; n < count; n++) {
      const group = ofEach[n] as number
      sums[group] = (sums[group] as number) + (column[indexes[n] as number] as number)
    }
  }
}

/** How many entries may be added between two carries: each adds at most BASE to a limb, which is exact up to 2^53. */
export const MOST_WITHOUT_CARRY = 2 ** 26

/** Brings every limb into [0, BASE), except for the highest of each amount: comparable, and with room for more. */
export function carry({ limbs, count }: Groups): void {
  for (const [n, from] of limbs.entries()) {
    if (n % WIDTH === WIDTH - 1) continue
    const to = limbs[n + 1] as Float64Array
    for (let group = 0; group < count; group++) {
      const number = from[group] as number
      if (number >= 0 && number < BASE) continue
      const carried = Math.floor(number / BASE)
      from[group] = number - carried * BASE
      to[group] = (to[group] as number) + carried
    }
  }
}

/** Compares the first amount of two groups, after `carry`. */
export function compareFirstAmount({ limbs }: Groups, one: number, other: number): number {
  for (let n = WIDTH - 1; n >= 0; n--) {
    const limb = limbs[n] as Float64Array
    const difference = (limb[one] as number) - (limb[other] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** All groups in one, after `carry`. */
export function total({ amounts, count, counts, limbs }: Groups): Groups {
  const all = createGroups(amounts)
  addGroup(all, 0, 0)
  all.counts[0] = sumOfFirst(counts, count)
  for (const [n, limb] of limbs.entries()) (all.limbs[n] as Float64Array)[0] = sumOfFirst(limb, count)
  return all
}

function sumOfFirst(numbers: Float64Array, count: number): number {
  let sum = 0
  for (let n = 0; n < count; n++) sum += numbers[n] as number
  return sum
}

/** A group's count and amounts. */
export function sumOf({ counts, limbs }: Groups, group: number, amounts: readonly string[]) {
  const own = limbs.map((limb) => limb[group] as number)
  const named = amounts.map((name, n) => [name, toDecimal(own.slice(n * WIDTH, (n + 1) * WIDTH))] as const)
  return { count: counts[group] ?? 0, amounts: Object.fromEntries(named) }
}
