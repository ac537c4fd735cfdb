import Big from 'big.js'
import { type ReadRow, withoutApostrophe } from '../csv/cells.ts'
import type { Mapping, ReadCell } from '../csv/sent-rows.ts'
import { totalWithTax } from '../format/decimals.ts'
import { isNumber } from '../format/numbers.ts'
import { COMPARED } from './columns.ts'

/** A figure in the file that differs from what Mint computes for its row. */
export interface OtherFigure {
  /** Where the row begins in the file, from 1. */
  readonly line: number
  readonly field: (typeof COMPARED)[number]
  readonly inFile: string
  readonly computed: string
}

/** The differing figures of a file: how many, and as many of them as anybody reads. */
export interface OtherFigures {
  readonly count: number
  readonly first: readonly OtherFigure[]
}

/** Which field each column of a file fills, and how its cells are read. */
export interface FileReading {
  readonly mapping: Mapping
  readonly read: (cell: string, column: number) => ReadCell
}

interface CompareOptions extends FileReading {
  readonly decimals: number
}

/** What a row has for a field, '' if nothing. */
export function fieldsIn(cells: readonly string[] | undefined, { mapping, read }: FileReading) {
  return (field: string): string => {
    const column = mapping.indexOf(field)
    const { text, problem } = read(cells?.[column] ?? '', column)
    return problem === undefined ? withoutApostrophe(text).trim() : 'unread'
  }
}

/** Compares the totals and taxes of rows with what Mint computes, rounded as the firm's amounts are. */
export function otherFigures(
  { line, cells }: Pick<ReadRow, 'line' | 'cells'>,
  { decimals, ...reading }: CompareOptions,
): readonly OtherFigure[] {
  const fieldIn = fieldsIn(cells, reading)
  const [fee, percent] = [fieldIn('serviceFee'), fieldIn('taxPercent') || '0']
  if (!isNumber(fee) || !isNumber(percent)) return []
  const total = totalWithTax(fee, percent)
  const computed = { tax: new Big(total).minus(fee).toFixed(), totalFeeWithTax: total }
  return COMPARED.flatMap((field) => {
    const inFile = fieldIn(field)
    if (!isNumber(inFile) || isSame(inFile, computed[field], decimals)) return []
    return [{ line, field, inFile, computed: computed[field] }]
  })
}

const isSame = (one: string, other: string, decimals: number): boolean =>
  new Big(one).round(decimals).eq(new Big(other).round(decimals))

/** A cell's value in either spelling, as `NumberReader.readings` returns them. */
type Readings = (cell: string) => Readonly<Partial<Record<string, string | undefined>>>

/**
 * The mapping with a column of taxes as amounts, if the first rows show that it isn't one of percentages: in each of them
 * fee + tax = total.
 */
export function withTaxAsAmount(
  mapping: Mapping,
  samples: readonly (readonly string[])[],
  readings: Readings,
): Mapping {
  const [fee, tax, total] = ['serviceFee', 'taxPercent', 'totalFeeWithTax'].map((name) => mapping.indexOf(name))
  if (fee === undefined || tax === undefined || total === undefined || [fee, tax, total].includes(-1)) return mapping
  const fits = (mark: string, totalOf: (fee: string, tax: string) => string) =>
    samples.every((cells) => {
      const [one, more, sum] = [fee, tax, total].map((column) => readings(cells[column] ?? '')[mark])
      if (one === undefined || more === undefined || sum === undefined) return false
      return isSame(totalOf(one, more), sum, CENTS)
    })
  const isAmount = (mark: string) => fits(mark, sumOf) && !fits(mark, totalWithTax)
  return ['.', ','].some(isAmount) ? mapping.with(tax, 'tax') : mapping
}

const sumOf = (fee: string, tax: string): string => new Big(fee).plus(tax).toFixed()

const CENTS = 2
