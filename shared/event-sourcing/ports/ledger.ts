/**
 * What a view stores for every version of an aggregate, so that many aggregates can be added up as of any moment. The
 * view must have numeric ids.
 */
export interface LedgerDefinition<State> {
  readonly kind: 'ledger'
  /** Texts to group and filter by: name → value. */
  readonly texts: Readonly<Record<string, (state: State) => string>>
  /** A calendar date, `YYYY-MM-DD`: grouped by month, filtered by range. */
  readonly date: (state: State) => string
  /** Decimals with up to 14 digits before the point and 10 after it: name → value. */
  readonly amounts: Readonly<Record<string, (state: State) => string>>
  /** The names of the amounts to add up; the first one determines the order of a report's rows. */
  readonly summed: readonly string[]
}

/**
 * A name that a view stores for every version of an aggregate, to be read as of any moment: of the labels that apply since
 * that moment or earlier, the one with the highest number in the latest era. So the order of recording doesn't matter.
 */
export interface LabelDefinition<State> {
  readonly kind: 'labels'
  readonly label: (state: State) => string
  /** When the label began to apply, in milliseconds since the epoch. */
  readonly since: (state: State) => number
  /** Incremented when earlier labels may be wrong. */
  readonly era: (state: State) => number
  /** Orders the labels within an era. */
  readonly number: (state: State) => number
}

/** The most decimals that an amount has. */
export const AMOUNT_DECIMALS = 10
/** An amount: its sign, up to 14 digits before the point, and its decimals. */
export const LEDGER_AMOUNT = /^(-?)(\d{1,14})(?:\.(\d{1,10}))?$/

/** Which aggregates to include; all conditions are combined with AND. */
export interface LedgerFilter {
  /** Only aggregates whose text of this name has this value. */
  readonly where: Readonly<Record<string, string | undefined>>
  /** `YYYY-MM-DD`, inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** An amount that is rounded for each aggregate, half away from zero, before it is added up. */
export interface Rounding {
  /** Its name in the sums. */
  readonly name: string
  /** The summed amount that is rounded. */
  readonly of: string
  readonly decimals: number
}

/** A text whose values are ids of another view, and that view, whose labels name them. */
interface Labelled {
  readonly text: string
  readonly view: string
}

export interface LinesQuery extends LedgerFilter {
  /** Counts each aggregate as of this time, in milliseconds since the epoch, inclusive. */
  readonly asOf: number
  readonly rounded?: Rounding | undefined
  readonly labelled?: Labelled | undefined
  readonly limit: number
  readonly offset: number
}

export interface SumsQuery extends LinesQuery {
  /** `month`, or names of texts; each at most once. */
  readonly groupBy: readonly string[]
}

/** The number of aggregates, and the sums of their amounts, also rounded ones: exact decimals, by name. */
export interface Sum {
  readonly count: number
  readonly amounts: Readonly<Record<string, string>>
}

export interface SumsRow extends Sum {
  /** The values grouped by, by name; a month as `YYYY-MM`. */
  readonly group: Readonly<Record<string, string>>
  /** The label of the group's labelled text at that time; null: it had none, undefined: not grouped by it. */
  readonly label?: string | null | undefined
}

export interface SumsPage {
  /** Months ascend; then the first amount descends; then the group's texts ascend, a label before what it names. */
  readonly rows: readonly SumsRow[]
  /** How many rows there are, regardless of limit and offset. */
  readonly total: number
  /** Over all rows. */
  readonly sums: Sum
}

/** An aggregate included in a sum, at its version at that time. */
export interface LedgerLine {
  readonly id: string
  readonly version: number
  /** The label of the labelled text at that time; null: it had none. */
  readonly label?: string | null
  readonly entry: LedgerEntry
}

export interface LinesPage {
  /** By date, then by id. */
  readonly lines: readonly LedgerLine[]
  /** How many lines there are, regardless of limit and offset. */
  readonly total: number
  /** Over all lines, the same as those of SumsPage. */
  readonly sums: Sum
}

export interface LedgerChangesQuery extends LedgerFilter {
  /** Both in milliseconds since the epoch, inclusive. */
  readonly since: number
  readonly until: number
  readonly limit: number
  readonly offset: number
}

/** What an aggregate adds to sums as of one of its versions. */
export interface LedgerEntry {
  readonly texts: Readonly<Record<string, string>>
  readonly date: string
  readonly amounts: Readonly<Record<string, string>>
}

/** An aggregate whose entry differs between two moments. */
export interface LedgerChange {
  readonly id: string
  /** undefined: it did not exist, or it did not match the filter. */
  readonly before: LedgerEntry | undefined
  readonly after: LedgerEntry | undefined
  /** The last version that changed anything in the entry, and its time. */
  readonly version: number
  readonly at: number
}

export interface LedgerChangesPage {
  /** Latest first, then highest id first. */
  readonly changes: readonly LedgerChange[]
  readonly total: number
  /** The sums at `until` less the sums at `since`. */
  readonly difference: Sum
}

/**
 * Adds up a view's ledger, including everything that was acknowledged when the call began. Throws StoreUnavailable, and
 * an Error when the view has no ledger.
 *
 * A version that is being appended may be missing. A caller whose answers about past moments must never change waits for
 * appends in progress first (EventStore.settled).
 */
export interface Ledger {
  /** The time of the latest version, or 0. It may be ahead of this process's clock, if another process's clock is. */
  latest(): Promise<number>
  sums(query: SumsQuery): Promise<SumsPage>
  lines(query: LinesQuery): Promise<LinesPage>
  changes(query: LedgerChangesQuery): Promise<LedgerChangesPage>
}
