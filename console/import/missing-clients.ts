import {
  cellsOf,
  type Delimiter,
  withApostrophe,
  withOwnApostrophe,
  withoutApostrophe,
  writeRow,
} from '../csv/cells.ts'
import type { Mapping, WrongRow } from '../csv/sent-rows.ts'
import { bareText } from '../format/fold.ts'

/** The names of clients in rows that Mint doesn't know, each once however it is spelled. */
export function missingClients(
  wrong: readonly WrongRow[],
  { mapping, delimiter }: { readonly mapping: Mapping; readonly delimiter: Delimiter },
): readonly string[] {
  const column = mapping.indexOf('client')
  const names = wrong
    .filter(({ code }) => code === 'unknown_client')
    .flatMap(({ text }) => withoutApostrophe(withOwnApostrophe(cellsOf(text, delimiter)?.[column] ?? '')).trim() || [])
  return names.filter((name, index) => index === names.findIndex((other) => bareText(other) === bareText(name)))
}

/** The file that creates businesses of these names. */
export const businessesNamed = (names: readonly string[]): string =>
  ['legalName', ...names.map((name) => writeRow([withApostrophe(name)]))].join('\n')
