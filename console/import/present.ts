import type { Api } from '../api/client.ts'
import type { Json } from '../api/json.ts'
import type { ReadRow } from '../csv/cells.ts'
import { patiently } from '../csv/patiently.ts'
import { bareText } from '../format/fold.ts'
import { type FileReading, fieldsIn } from './totals.ts'

/** As many as the API returns at once, and the most that are read: a file of a month has fewer. */
const [PAGE_SIZE, MAX_LINES] = [1_000, 20_000]

/** Finds rows of a file that Mint has already, for example because another export of the same month was imported. */
export function createPresence(reading: FileReading) {
  /** Where rows begin in the file, by what identifies their services. */
  const rows = new Map<string, number[]>()
  let [first, last] = ['9999-12-31', '']

  return {
    /** Notes a row of the file. */
    see({ line, cells }: Pick<ReadRow, 'line' | 'cells'>): void {
      const fieldIn = fieldsIn(cells, reading)
      const day = fieldIn('serviceDate').slice(0, 10)
      if (day === '') return
      if (day < first) first = day
      if (day > last) last = day
      const key = keyOf(fieldIn('clientId') || fieldIn('client'), day, fieldIn('serviceType'), fieldIn('serviceFee'))
      rows.set(key, [...(rows.get(key) ?? []), line])
    },
    /** The lines of rows whose client, date, type and fee are those of a contract, each contract counted once. */
    async find(get: Api['get'], signal: AbortSignal): Promise<readonly number[]> {
      const found: number[] = []
      const query = { serviceDateFrom: first, serviceDateTo: last, limit: PAGE_SIZE }
      let [asOf, total]: [string | undefined, number] = [undefined, last === '' ? 0 : 1]
      for (let offset = 0; offset < total && total <= MAX_LINES; offset += PAGE_SIZE) {
        const page: Json = await patiently(
          () => get('reports/contracts/lines', { query: { ...query, asOf, offset }, signal }),
          signal,
        )
        ;({ asOf, total } = page)
        for (const { clientId, displayName, serviceDate, serviceType, serviceFee } of page.lines) {
          const keys = [clientId, displayName ?? ''].map((client) =>
            keyOf(client, serviceDate, serviceType, serviceFee),
          )
          const line = keys
            .map((key) => rows.get(key) ?? [])
            .find(({ length }) => length > 0)
            ?.shift()
          if (line !== undefined) found.push(line)
        }
      }
      return found.toSorted((one, other) => one - other)
    },
  }
}

const keyOf = (client: string, day: string, type: string, fee: string): string =>
  JSON.stringify([bareText(client), day, bareText(type), Number(fee)])
