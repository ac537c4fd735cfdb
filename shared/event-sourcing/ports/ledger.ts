/**
 * What a view stores of every version of an aggregate, not only of the last one, so that many aggregates can be added up
 * as they were at any moment. A view with numeric ids can have one.
 */
export interface LedgerDefinition<State> {
  readonly kind: 'ledger'
  /** Texts to group and filter by: name → value. */
  readonly texts: Readonly<Record<string, (state: State) => string>>
  /** A calendar date, `YYYY-MM-DD`: grouped by month, filtered by range. */
  readonly date: (state: State) => string
  /** Decimals with at most 14 digits before the point and 10 after it: name → value. */
  readonly amounts: Readonly<Record<string, (state: State) => string>>
  /** The names of the amounts that are added up; the first one determines the order of a report's rows. */
  readonly summed: readonly string[]
}

/**
 * A name that a view stores of every version of an aggregate, so that it can be read as it was at any moment: of the
 * labels that began by then, the one of the latest era and, within it, of the highest number. So the order in which
 * labels are recorded doesn't matter.
 */
export interface LabelDefinition<State> {
  readonly kind: 'labels'
  readonly label: (state: State) => string
  /** Since when the aggregate has this label, in milliseconds since the epoch. */
  readonly since: (state: State) => number
  /** Goes up when the labels before may be false. */
  readonly era: (state: State) => number
  /** Orders the labels of an era. */
  readonly number: (state: State) => number
}

/** Decimals after the point of an amount, at most. */
export const AMOUNT_DECIMALS = 10
/** An amount: its sign, up to 14 digits before the point, and its decimals. */
export const LEDGER_AMOUNT = /^(-?)(\d{1,14})(?:\.(\d{1,10}))?$/

/** Which aggregates count; all conditions are combined with AND. */
export interface LedgerFilter {
  /** Only aggregates whose text of this name is this one. */
  readonly where: Readonly<Record<string, string | undefined>>
  /** `YYYY-MM-DD`, inclusive. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** An amount rounded for each aggregate, half away from zero, and then added up. */
export interface Rounding {
  /** What the sums call it. */
  readonly name: string
  /** One of the summed amounts. */
  readonly of: string
  readonly decimals: number
}

/** The view whose labels name the values of a text; its ids are these values. */
interface Labelled {
  readonly text: string
  readonly view: string
}

export interface LinesQuery extends LedgerFilter {
  /** Counts each aggregate as it was at this time, in milliseconds since the epoch, inclusive. */
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

/** How many aggregates there are, and their amounts, also rounded, added up: exact decimals, by name. */
export interface Sum {
  readonly count: number
  readonly amounts: Readonly<Record<string, string>>
}

export interface SumsRow extends Sum {
  /** The values grouped by, by name; a month as `YYYY-MM`. */
  readonly group: Readonly<Record<string, string>>
  /** The label then of the group's labelled text; null when it had none, undefined when not grouped by it. */
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

/** An aggregate behind a sum, at the version that it had then. */
export interface LedgerLine {
  readonly id: string
  readonly version: number
  /** The label then of the labelled text; null when it had none. */
  readonly label?: string | null
  readonly entry: LedgerEntry
}

export interface LinesPage {
  /** By date, then by id. */
  readonly lines: readonly LedgerLine[]
  /** How many there are, regardless of limit and offset. */
  readonly total: number
  /** Over all lines: those of SumsPage. */
  readonly sums: Sum
}

export interface LedgerChangesQuery extends LedgerFilter {
  /** Both in milliseconds since the epoch, inclusive. */
  readonly since: number
  readonly until: number
  readonly limit: number
  readonly offset: number
}

/** What an aggregate counts for from one of its versions on. */
export interface LedgerEntry {
  readonly texts: Readonly<Record<string, string>>
  readonly date: string
  readonly amounts: Readonly<Record<string, string>>
}

/** An aggregate whose entry differs from the one before. */
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
 * Adds up a view's ledger, with everything that was acknowledged when the call began. Throws StoreUnavailable, and an
 * Error when the view has no ledger.
 *
 * A version that is being appended meanwhile may be missing: whoever promises that an answer about a past moment stays
 * the same waits for it first (EventStore.settled).
 */
export interface Ledger {
  /** The time of the latest version, or 0: past the clock of this process where another one's clock is ahead. */
  latest(): Promise<number>
  sums(query: SumsQuery): Promise<SumsPage>
  lines(query: LinesQuery): Promise<LinesPage>
  changes(query: LedgerChangesQuery): Promise<LedgerChangesPage>
}
