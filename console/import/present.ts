import type { Api } from '../api/client.ts'
import type { ReadRow } from '../csv/cells.ts'
import { retryWhileBusy } from '../csv/retry-while-busy.ts'
import { bareText } from '../format/fold.ts'
import { fetchAllLines } from '../overview/reports.ts'
import { type FileReading, fieldsIn } from './totals.ts'

/** The most lines that are read: a file of a month has fewer. */
const MAX_LINES = 20_000

/** Finds rows of a file that Mint has already, for example because another export of the same month was imported. */
export function createPresence(reading: FileReading) {
  /** Where rows begin in the file, by what identifies their services. */
  const rows = new Map<string, number[]>()
  const days = new Set<string>()
  return {
    /** Notes a row of the file. Returns its day, '' if it has none. */
    see({ line, cells }: Pick<ReadRow, 'line' | 'cells'>): string {
      const fieldIn = fieldsIn(cells, reading)
      const day = fieldIn('serviceDate').slice(0, 10)
      const key = keyOf(fieldIn('clientId') || fieldIn('client'), day, fieldIn('serviceType'), fieldIn('serviceFee'))
      rows.set(key, [...(rows.get(key) ?? []), line])
      if (day !== '') days.add(day)
      return day
    },
    /** The lines of rows whose client, date, type and fee are those of a contract, each contract counted once. */
    async find(api: Api, signal: AbortSignal): Promise<readonly number[]> {
      const found: number[] = []
      const [from, to] = [[...days].sort()[0], [...days].sort().at(-1)]
      if (from === undefined) return found
      const filters = { from, to, asOf: undefined }
      const { lines } = await retryWhileBusy(() => fetchAllLines(api, { filters, most: MAX_LINES, signal }), signal)
      for (const { clientId, displayName, serviceDate, serviceType, serviceFee } of lines) {
        const clients = [clientId, displayName ?? clientId]
        const keys = clients.map((client) => keyOf(client, serviceDate, serviceType, serviceFee))
        const same = keys.map((key) => rows.get(key)).find((lines) => lines?.length)
        found.push(...(same?.splice(0, 1) ?? []))
      }
      return found.toSorted((one, other) => one - other)
    },
  }
}

const keyOf = (client: string, day: string, type: string, fee: string): string =>
  JSON.stringify([bareText(client), day, bareText(type), Number(fee)])
