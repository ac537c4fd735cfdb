import { cellsOf, type Delimiter, writeRow } from '../csv/cells.ts'
import type { Mapping, WrongRow } from '../csv/sent-rows.ts'

/** The names by which rows call clients that Mint doesn't know, each once however it is spelled. */
export function missingClients(
  wrong: readonly WrongRow[],
  { mapping, delimiter }: { readonly mapping: Mapping; readonly delimiter: Delimiter },
): readonly string[] {
  const column = mapping.indexOf('client')
  const names = wrong
    .filter(({ code }) => code === 'unknown_client')
    .flatMap(({ text }) => cellsOf(text, delimiter)?.[column]?.trim() || [])
  return [...new Map(names.toReversed().map((name) => [folded(name), name])).values()].toReversed()
}

/** As Mint compares names: two that it takes for one would be two clients of the same name. */
function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[‘’‛ʼ´`]/g, "'")
    .replace(/[‐‑‒–—―−]/g, '-')
    .toLowerCase()
    .replaceAll('ß', 'ss')
}

/** The file that creates businesses of these names. */
export const businessesNamed = (names: readonly string[]): string =>
  ['legalName', ...names.map((name) => writeRow([name]))].join('\n')
