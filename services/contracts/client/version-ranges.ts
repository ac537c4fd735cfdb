/** Consecutive versions of a business, both ends inclusive. */
export interface VersionRange {
  readonly from: number
  readonly to: number
}

/** The range from one version to another; none if it is empty. */
export const rangeOf = (from: number, to: number): readonly VersionRange[] => (from <= to ? [{ from, to }] : [])

export const includes = (ranges: readonly VersionRange[], version: number): boolean =>
  ranges.some(({ from, to }) => from <= version && version <= to)

export const without = (ranges: readonly VersionRange[], version: number): readonly VersionRange[] =>
  ranges.flatMap((range) => {
    if (!includes([range], version)) return [range]
    return [...rangeOf(range.from, version - 1), ...rangeOf(version + 1, range.to)]
  })
