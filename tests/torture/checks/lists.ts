import type { Create, History, List, Moment, Row, VersionedRow } from '../history.ts'
import { earliestIn } from './deposed.ts'

/** The most rows of a page. */
const PAGE = 10

/**
 * Errors in lists, searches and their totals. A list shows at least every create acknowledged before it began, and at
 * most those begun before it ended; totals never fall; rows are newest first, without gaps or duplicates. The contents
 * of rows are checked per record.
 */
export function violationsOfLists(history: History): string[] {
  const earliestOf = earliestIn(history.deposed)
  const dated = history.list.map((list) => ({ ...list, earliest: earliestOf(list) }))
  const searches = new Set(dated.map(({ search }) => search))
  return [...searches].flatMap((search) => {
    const lists = dated.filter((list) => list.search === search)
    const creates = history.create.filter(({ asked }) => isFound(asked.serviceName, search))
    return [
      ...lists.flatMap((list) => wrongForm(list)),
      ...wrongTotals(lists, creates, named),
      ...fallingTotals(lists),
      ...missingRows(lists, creates),
    ]
  })
}

interface DatedList extends List {
  /** Creates acknowledged before this must be shown. */
  readonly earliest: Moment
}

const isFound = (name: string, search: string | undefined): boolean => search === undefined || name.includes(search)

function wrongForm(list: List): string[] {
  const { rows, total, search } = list
  const isOrdered = rows.every((row, index) => index === 0 || isNewer(rows[index - 1] as Row, row))
  const isFull = rows.length === Math.min(PAGE, total)
  const isRight = rows.every(({ serviceName }) => isFound(serviceName, search))
  return [
    ...(isOrdered ? [] : [`${named(list)} has rows out of order, or one twice`]),
    ...(isFull ? [] : [`${named(list)} has ${rows.length} rows of ${total}`]),
    ...(isRight ? [] : [`${named(list)} has a row that does not match`]),
  ]
}

/** Current reports are checked in the same way. */
export function wrongTotals<Counted extends { total: number; earliest: Moment; return: Moment }>(
  lists: readonly Counted[],
  creates: readonly Create[],
  nameOf: (list: Counted) => string,
): string[] {
  const acknowledged = sorted(creates.filter(({ outcome }) => outcome === 'ok').map((create) => create.return))
  const begun = sorted(creates.filter(({ outcome }) => outcome !== 'failed').map(({ call }) => call))
  return lists.flatMap((list) => {
    const least = countBefore(acknowledged, list.earliest)
    const most = countBefore(begun, list.return)
    if (list.total >= least && list.total <= most) return []
    return [`${nameOf(list)} has a total of ${list.total}, which must be from ${least} to ${most}`]
  })
}

/** Contracts are never removed: a list that began after another had ended has at least as many. */
function fallingTotals(lists: readonly DatedList[]): string[] {
  const ended = lists.toSorted((one, other) => one.return - other.return)
  const begun = lists.toSorted((one, other) => one.earliest - other.earliest)
  let highest = 0
  let next = 0
  return begun.flatMap((list) => {
    for (let before = ended[next]; before && before.return < list.earliest; before = ended[++next]) {
      highest = Math.max(highest, before.total)
    }
    return list.total < highest ? [`${named(list)} has a total of ${list.total} after one of ${highest}`] : []
  })
}

/** A page has every acknowledged record that is newer than its last row. */
function missingRows(lists: readonly DatedList[], creates: readonly Create[]): string[] {
  const acknowledged = creates
    .flatMap(({ return: end, record }) => (record ? [{ end, record }] : []))
    .sort((one, other) => one.end - other.end)
  const newest: VersionedRow[] = []
  let next = 0
  const begun = lists.toSorted((one, other) => one.earliest - other.earliest)
  return begun.flatMap((list) => {
    for (let created = acknowledged[next]; created && created.end < list.earliest; created = acknowledged[++next]) {
      insert(newest, created.record)
    }
    const ids = new Set(list.rows.map(({ id }) => id))
    const last = list.rows.at(-1)
    const isOnPage = (row: Row): boolean => list.rows.length < PAGE || (last !== undefined && isNewer(row, last))
    const missing = newest.filter((row) => isOnPage(row) && !ids.has(row.id))
    return missing.map(({ id }) => `${named(list)} lacks contract ${id}, which was acknowledged before`)
  })
}

/** The newest ones suffice: if an older one is missing on a page, one of these is missing, too. */
function insert(newest: VersionedRow[], record: VersionedRow): void {
  const at = newest.findIndex((other) => isNewer(record, other))
  newest.splice(at < 0 ? newest.length : at, 0, record)
  newest.length = Math.min(newest.length, PAGE)
}

const isNewer = (one: Row, other: Row): boolean =>
  one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id)

const sorted = (moments: readonly Moment[]): Moment[] => moments.toSorted((one, other) => one - other)

/** How many of these are earlier. */
function countBefore(moments: readonly Moment[], limit: Moment): number {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle] as Moment) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function named({ search, call, return: end, gateway }: List): string {
  const what = search === undefined ? 'the list' : `the list of "${search}"`
  return `${what} from ${call.toFixed(3)} to ${end.toFixed(3)} ms, gateway ${gateway},`
}
