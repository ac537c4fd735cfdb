import { kafkaAway } from './faults/kafka.ts'
import type { Fault, History, Moment } from './history.ts'

const OPERATIONS = [
  'create',
  'edit',
  'touch',
  'get',
  'list',
  'find',
  'set-closing',
  'get-closing',
  'report',
  'changes',
  'business',
  'command',
  'failed-read',
] as const
/** How long after its end a fault may still delay writes, in milliseconds. */
const RECOVERY_TIME = 2_000

/** The operations, the faults, and the longest time without an acknowledged write, as lines. */
export function summaryOf(history: History): string[] {
  const operations = OPERATIONS.flatMap((type) => history[type] as readonly { readonly type: string; status: string }[])
  const kinds = OPERATIONS.flatMap((type) => {
    const counts = Map.groupBy(history[type] as readonly { readonly status: string }[], ({ status }) => status)
    const byStatus = [...counts].map(([status, { length }]) => `${status}: ${length}`).sort()
    return byStatus.length === 0 ? [] : [`  ${type.padEnd(12)} ${byStatus.join(', ')}`]
  })
  const faults = [...Map.groupBy(history.fault, (fault) => labelOf(fault, history.fault))].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const writes = acknowledgedWrites(history)
  return [
    `${operations.length} operations`,
    ...kinds,
    `${history.fault.length} faults; at most so long without an acknowledged write, and until one begun later was:`,
    ...faults.map(([label, ofKind]) => {
      const gap = Math.max(...ofKind.map((fault) => longestGap(fault, writes)))
      const recovery = Math.max(...ofKind.map((fault) => untilAcknowledged(fault, writes)))
      return `  ${label.padEnd(52)} ${`${ofKind.length} ×`.padStart(6)} ${inSeconds(gap)} ${inSeconds(recovery)}`
    }),
  ]
}

/** Overlapping faults count as a separate kind, and so does one that hit the appending process. */
function labelOf({ name, details, begins, ends }: Fault, all: readonly Fault[]): string {
  const overlapping = all.filter((other) => other.begins < ends && other.ends > begins && !isLong(other))
  if (overlapping.length > 1) return 'two at once'
  return details.includes('(appender)') ? `${name}: the appender` : name
}

/** It lasts so long that it overlaps most others. */
const isLong = ({ name }: Fault): boolean => name === kafkaAway.name

interface Write {
  readonly call: Moment
  readonly return: Moment
}

/** In the order of acknowledgement. */
const acknowledgedWrites = ({ create, edit }: History): Write[] =>
  [...create, ...edit].filter(({ outcome }) => outcome === 'ok').sort((one, other) => one.return - other.return)

function longestGap({ begins, ends }: Fault, writes: readonly Write[]): number {
  const limit = ends + RECOVERY_TIME
  const moments = writes.map((write) => write.return).filter((moment) => moment > begins && moment < limit)
  const [gap] = moments.reduce<[number, Moment]>(
    ([longest, before], moment) => [Math.max(longest, moment - before), moment],
    [0, begins],
  )
  return moments.length === 0 ? limit - begins : gap
}

function untilAcknowledged({ begins }: Fault, writes: readonly Write[]): number {
  const first = writes.find(({ call }) => call >= begins)
  return first === undefined ? Number.POSITIVE_INFINITY : first.return - begins
}

const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`.padStart(9)
