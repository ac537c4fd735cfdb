import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { CommandFailure, EXIT } from '../exit.ts'
import type { CsvFile } from './csv-file.ts'
import { isEmpty, rowsOf } from './rows.ts'

/** The header line of a file, with columns renamed: the column in the file → the field of Mint. Throws CommandFailure. */
export async function mappedHeader(file: CsvFile, names: ReadonlyMap<string, string>): Promise<Buffer> {
  const text = await headerOf(file)
  // Not one within a quoted name.
  const delimiter = /[,;]/.exec(text.replace(/"[^"]*"/g, ''))?.[0] ?? ','
  const columns = columnsOf(text, delimiter)
  for (const name of names.keys()) {
    if (columns.includes(name)) continue
    const message = `--map ${name}: ${file.name} has no such column. It has: ${columns.join(', ')}.`
    throw new CommandFailure(message, { exitCode: EXIT.usage })
  }
  const mapped = columns.map((column) => names.get(column) ?? column)
  return Buffer.from(stringify([mapped], { delimiter }))
}

async function headerOf(file: CsvFile): Promise<string> {
  for await (const row of rowsOf(file)) if (!isEmpty(row)) return row.bytes.toString().replace(/^\ufeff/, '')
  throw new CommandFailure(`${file.name} is empty. Give a file whose first line names its columns.`)
}

function columnsOf(text: string, delimiter: string): readonly string[] {
  try {
    const [columns = []] = parse(text, { delimiter, relax_column_count: true }) as string[][]
    return columns
  } catch (cause) {
    throw new CommandFailure('line 1: The names of the columns can’t be read: a quote is not closed.', { cause })
  }
}
