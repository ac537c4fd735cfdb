import Big from 'big.js'
import type { ReportGroup } from '../../shared/fields/report-fields.ts'

/** What a contract contributes to reports, and since when. */
export interface ModelVersion {
  readonly at: number
  readonly clientId: string
  readonly serviceType: string
  readonly serviceDate: string
  readonly serviceFee: string
  readonly taxPercent: string
}

/**
 * Every version of every contract, by number, and the names of clients and the decimals of the firm's currency, with
 * the times from which they apply.
 */
export interface Model {
  readonly contracts: Map<number, ModelVersion[]>
  readonly names: Map<string, { readonly since: number; readonly name: string }[]>
  readonly currencies: { readonly since: number; readonly decimals: number }[]
}

export interface ModelFilter {
  readonly clientId?: string | undefined
  readonly serviceType?: string | undefined
  readonly serviceDateFrom?: string | undefined
  readonly serviceDateTo?: string | undefined
}

const fee = ({ serviceFee }: ModelVersion): Big => new Big(serviceFee)
const total = ({ serviceFee, taxPercent }: ModelVersion): Big =>
  new Big(serviceFee).times(new Big(taxPercent).plus(100)).times('0.01')
/** Half away from zero. */
const billed = (version: ModelVersion, decimals: number): Big => total(version).round(decimals, Big.roundHalfUp)

const decimalsAt = ({ currencies }: Model, asOf: number): number =>
  currencies.findLast(({ since }) => since <= asOf)?.decimals ?? 2

const sumOf = (amounts: readonly Big[]): Big => amounts.reduce((sum, amount) => sum.plus(amount), new Big(0))

const amountsOf = (versions: readonly ModelVersion[]) => ({
  count: versions.length,
  fee: sumOf(versions.map(fee)),
  total: sumOf(versions.map(total)),
})

type Amounts = ReturnType<typeof amountsOf>

const shown = ({ count, fee, total }: Amounts) => ({
  count,
  serviceFee: fee.toFixed(),
  tax: total.minus(fee).toFixed(),
  totalFeeWithTax: total.toFixed(),
})

const shownSums = (versions: readonly ModelVersion[], decimals: number) => ({
  ...shown(amountsOf(versions)),
  billed: sumOf(versions.map((one) => billed(one, decimals))).toFixed(),
})

const then = (versions: readonly ModelVersion[], at: number) => versions.findLast((version) => version.at <= at)

function fits(version: ModelVersion | undefined, filter: ModelFilter): version is ModelVersion {
  if (version === undefined) return false
  const { clientId, serviceType, serviceDateFrom = '', serviceDateTo = '9999-12-31' } = filter
  if (clientId !== undefined && clientId !== version.clientId) return false
  if (serviceType !== undefined && serviceType !== version.serviceType) return false
  return version.serviceDate >= serviceDateFrom && version.serviceDate <= serviceDateTo
}

/** The expected report. */
export function modelReport(model: Model, groupBy: readonly ReportGroup[], filter: ModelFilter, asOf: number) {
  const counted = [...model.contracts.values()]
    .map((versions) => then(versions, asOf))
    .filter((one) => fits(one, filter))
  const decimals = decimalsAt(model, asOf)
  const groups = new Map<string, ModelVersion[]>()
  const keyOf = (version: ModelVersion, group: ReportGroup) =>
    group === 'month' ? version.serviceDate.slice(0, 7) : version[group]
  for (const version of counted) {
    const key = JSON.stringify(groupBy.map((group) => keyOf(version, group)))
    groups.set(key, [...(groups.get(key) ?? []), version])
  }
  const rows = [...groups].map(([key, versions]) => {
    const keys: { [Group in ReportGroup]?: string } = Object.fromEntries(
      groupBy.map((group, n) => [group, JSON.parse(key)[n]]),
    )
    const { clientId } = keys
    const displayName = clientId === undefined ? undefined : nameOf(model, clientId, asOf)
    const texts = groupBy.flatMap((group) =>
      group === 'month' ? [] : group === 'clientId' ? [displayName ?? null, clientId ?? ''] : [keys[group] ?? ''],
    )
    return {
      ...keys,
      displayName: displayName ?? undefined,
      texts,
      total: amountsOf(versions).total,
      sums: shownSums(versions, decimals),
    }
  })
  rows.sort(
    (one, other) =>
      byText(one.month ?? '', other.month ?? '') ||
      other.total.cmp(one.total) ||
      one.texts.map((text, n) => byText(text, other.texts[n] ?? null)).find((order) => order !== 0) ||
      0,
  )
  const shownRows = rows.map(({ texts: _, total: _total, ...row }) => row)
  return {
    asOf,
    rows: groupBy.length === 0 ? [] : shownRows,
    total: groupBy.length === 0 ? 0 : rows.length,
    sums: shownSums(counted, decimals),
  }
}

/** The expected lines, all on one page. */
export function modelLines(model: Model, filter: ModelFilter, asOf: number) {
  const found = [...model.contracts].flatMap(([contractId, versions]) => {
    const version = then(versions, asOf)
    return fits(version, filter) ? [{ contractId, version }] : []
  })
  found.sort(
    (one, other) => byText(one.version.serviceDate, other.version.serviceDate) || one.contractId - other.contractId,
  )
  const decimals = decimalsAt(model, asOf)
  const lines = found.map(({ contractId, version: one }) => {
    const { at: _, ...fields } = one
    const { count: _count, serviceFee: _fee, ...amounts } = shownSums([one], decimals)
    return { contractId, ...fields, displayName: nameOf(model, one.clientId, asOf) ?? undefined, ...amounts }
  })
  const versions = found.map(({ version }) => version)
  return { asOf, lines, total: lines.length, sums: shownSums(versions, decimals) }
}

function nameOf({ names }: Model, clientId: string, asOf: number): string | null {
  return (names.get(clientId) ?? []).findLast(({ since }) => since <= asOf)?.name ?? null
}

/** By code points, null last. */
function byText(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

const same = (one: ModelVersion | undefined, other: ModelVersion | undefined): boolean =>
  JSON.stringify({ ...one, at: 0 }) === JSON.stringify({ ...other, at: 0 })

/** The expected changes between two moments. */
export function modelChanges(model: Model, filter: ModelFilter, { since, until }: { since: number; until: number }) {
  const changes = [...model.contracts].flatMap(([contractId, versions]) => {
    const [was, is] = [then(versions, since), then(versions, until)]
    const [before, after] = [fits(was, filter) ? was : undefined, fits(is, filter) ? is : undefined]
    if (before === undefined ? after === undefined : after !== undefined && same(before, after)) return []
    const upTo = versions.filter(({ at }) => at <= until)
    const last = upTo.findLastIndex((version, n) => n === 0 || !same(upTo[n - 1], version))
    return [{ contractId, before, after, at: upTo[last]?.at ?? 0 }]
  })
  changes.sort((one, other) => other.at - one.at || other.contractId - one.contractId)
  const part = (version: ModelVersion | undefined) => {
    if (version === undefined) return undefined
    const { at: _, ...rest } = version
    return { ...rest, totalFeeWithTax: total(version).toFixed() }
  }
  const [gone, come] = [changes.flatMap(({ before }) => before ?? []), changes.flatMap(({ after }) => after ?? [])].map(
    amountsOf,
  ) as [Amounts, Amounts]
  const difference = {
    count: come.count - gone.count,
    fee: come.fee.minus(gone.fee),
    total: come.total.minus(gone.total),
  }
  return {
    since,
    until,
    changes: changes.map((one) => ({ ...one, before: part(one.before), after: part(one.after), by: 'somebody' })),
    total: changes.length,
    difference: { ...shown(difference), billed: undefined },
  }
}
