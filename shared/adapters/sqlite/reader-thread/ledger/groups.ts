import { BASE, LIMBS, toDecimal } from '../../any-thread/ledger/limbs.ts'
import type { Numbers } from './chunks.ts'

/** The limbs of a sum: the highest of an amount would overflow after 800 million entries. */
const WIDTH = LIMBS + 1

/** Where a sum's limb is in the row of its group; `limb` counts those of all amounts, LIMBS for each. */
export const placeOf = (limb: number): number => 1 + Math.floor(limb / LIMBS) * WIDTH + (limb % LIMBS)

/** Groups of entries, numbered from 0, each with a count and the limbs of its amounts added up. */
export interface Groups {
  readonly amounts: number
  count: number
  /** Two for each group; whoever groups by fewer leaves them 0. */
  keys: Uint32Array
  /** A row of `stride` numbers for each group: the count, then the limbs. */
  numbers: Float64Array
  readonly stride: number
  /** Open addressing, three numbers for each slot: the two keys, and group + 1 or 0. At most half are taken. */
  slots: Uint32Array
}

/** Some entries of a chunk. */
export interface Selected {
  readonly indexes: Int32Array
  /** How many of `indexes` are meant. */
  readonly count: number
}

/** No groups yet, for so many amounts. */
export function createGroups(amounts: number): Groups {
  const stride = 1 + amounts * WIDTH
  return { amounts, count: 0, stride, ...arrays(64, stride) }
}

const SLOT = 3

const arrays = (capacity: number, stride: number) => ({
  keys: new Uint32Array(capacity * 2),
  numbers: new Float64Array(capacity * stride),
  slots: new Uint32Array(capacity * 2 * SLOT),
})

/** Where the slot of these keys begins, taken or not. The keys lie in it, so that a search reads one cache line. */
function slotOf(slots: Uint32Array, first: number, second: number): number {
  const mask = slots.length / SLOT - 1
  let hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)
  hash ^= hash >>> 15
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const at = slot * SLOT
    if (slots[at + 2] === 0 || (slots[at] === first && slots[at + 1] === second)) return at
  }
}

function grow(groups: Groups): void {
  const { keys, numbers, stride, count } = groups
  Object.assign(groups, arrays(keys.length * 2, stride))
  groups.keys.set(keys)
  groups.numbers.set(numbers)
  for (let group = 0; group < count; group++) {
    takeSlot(groups.slots, keys[group * 2] as number, keys[group * 2 + 1] as number, group)
  }
}

function takeSlot(slots: Uint32Array, first: number, second: number, group: number): void {
  const at = slotOf(slots, first, second)
  slots[at] = first
  slots[at + 1] = second
  slots[at + 2] = group + 1
}

/** The group with these keys, created if missing. */
export function groupOf(groups: Groups, first: number, second: number): number {
  const found = groups.slots[slotOf(groups.slots, first, second) + 2] as number
  if (found > 0) return found - 1
  if (groups.count * 2 === groups.keys.length) grow(groups)
  const group = groups.count++
  groups.keys[group * 2] = first
  groups.keys[group * 2 + 1] = second
  takeSlot(groups.slots, first, second, group)
  return group
}

/** Adds entries of a chunk to their groups. `keys`: up to two columns; `limbs`: LIMBS columns for each amount. */
export function addEntries(
  groups: Groups,
  { indexes, count }: Selected,
  { keys, limbs }: { readonly keys: readonly Numbers[]; readonly limbs: readonly (Numbers | undefined)[] },
): void {
  const [first, second] = keys
  const starts = new Int32Array(count)
  const { stride } = groups
  for (let n = 0; n < count; n++) {
    const index = indexes[n] as number
    const group = groupOf(groups, first ? (first[index] as number) : 0, second ? (second[index] as number) : 0)
    starts[n] = group * stride
  }
  const { numbers } = groups
  for (let n = 0; n < count; n++) numbers[starts[n] as number] = (numbers[starts[n] as number] as number) + 1
  for (const [limb, column] of limbs.entries()) {
    if (column === undefined) continue
    const place = placeOf(limb)
    for (let n = 0; n < count; n++) {
      const at = (starts[n] as number) + place
      numbers[at] = (numbers[at] as number) + (column[indexes[n] as number] as number)
    }
  }
}

/** How many entries may be added between two carries: each adds at most BASE to a limb, which is exact up to 2^53. */
export const MOST_WITHOUT_CARRY = 2 ** 26

/** Brings every limb into [0, BASE), except for the highest of each amount: comparable, and with room for more. */
export function carry({ numbers, stride, count }: Groups): void {
  for (let start = 0; start < count * stride; start += stride) {
    for (let limb = 1; limb < stride; limb++) {
      if (limb % WIDTH === 0) continue
      const number = numbers[start + limb] as number
      if (number >= 0 && number < BASE) continue
      const carried = Math.floor(number / BASE)
      numbers[start + limb] = number - carried * BASE
      numbers[start + limb + 1] = (numbers[start + limb + 1] as number) + carried
    }
  }
}

/** Compares the first amount of two groups, after `carry`. */
export function compareFirstAmount({ numbers, stride }: Groups, one: number, other: number): number {
  for (let limb = WIDTH; limb > 0; limb--) {
    const difference = (numbers[one * stride + limb] as number) - (numbers[other * stride + limb] as number)
    if (difference !== 0) return difference
  }
  return 0
}

/** All groups in one. */
export function total({ numbers, stride, count, amounts }: Groups): Groups {
  const all = createGroups(amounts)
  groupOf(all, 0, 0)
  for (let start = 0; start < count * stride; start += stride) {
    for (let n = 0; n < stride; n++) all.numbers[n] = (all.numbers[n] as number) + (numbers[start + n] as number)
  }
  return all
}

/** A group's count and amounts. */
export function sumOf({ numbers, stride }: Groups, group: number, amounts: readonly string[]) {
  const own = [...numbers.subarray(group * stride, (group + 1) * stride)]
  const named = amounts.map((name, n) => [name, toDecimal(own.slice(1 + n * WIDTH, 1 + (n + 1) * WIDTH))] as const)
  return { count: own[0] ?? 0, amounts: Object.fromEntries(named) }
}
