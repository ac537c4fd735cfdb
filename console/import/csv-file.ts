import * as csv from '../csv/csv-file.ts'
import { CsvProblem } from '../csv/rows.ts'
import { createTallies, type Tally } from './evidence.ts'
import type { Notation } from './spelling.ts'

/** A CSV file that somebody has chosen, and what its cells look like. */
export interface CsvFile extends csv.CsvFile {
  readonly name: string
  /** Its first rows. */
  readonly samples: readonly (readonly string[])[]
  /** What the cells of a column say about its spelling in a notation. */
  readonly tallyOf: (column: number, notation: Notation) => Tally
}

const SAMPLES = 3

/** Reads a whole file. Each column may turn out to be in one of the notations. Throws CsvProblem. */
export async function openCsvFile(file: File, notations: readonly Notation[]): Promise<CsvFile> {
  const samples: (readonly string[])[] = []
  const tallies = createTallies(notations)
  const read = await csv.readCsvFile(
    () => chunksOf(file),
    ({ cells = [] }) => {
      cells.forEach(tallies.see)
      if (samples.length < SAMPLES) samples.push(cells)
    },
  )
  return { ...read, name: file.name, samples, tallyOf: tallies.of }
}

/** Throws CsvProblem. */
async function* chunksOf(file: File): AsyncGenerator<Uint8Array> {
  const reader = file.stream().getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield value
    }
  } catch (error) {
    throw new CsvProblem('file_unreadable', undefined, error)
  } finally {
    void reader.cancel().catch(() => {})
  }
}
