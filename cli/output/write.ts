import { once } from 'node:events'
import type { Writable } from 'node:stream'
import type { Cli } from '../cli.ts'

/** Whoever read the output stopped (`mint history … | head`), and has what it wanted. */
export class ReaderGone extends Error {}

/** Writes no faster than the reader takes it. Throws ReaderGone, or the stream's error. */
export async function writeText(to: Writable, text: string): Promise<void> {
  try {
    if (!to.write(text)) await once(to, 'drain')
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EPIPE' ? new ReaderGone() : error
  }
}

/** Writes a line to standard output. */
export const writeLine = ({ out }: Pick<Cli, 'out'>, line: string): Promise<void> => writeText(out, `${line}\n`)

/** Writes each item as one JSON value a line, or as lines for people; answers how many there were. */
export async function writeItems<Item>(
  cli: Pick<Cli, 'out'>,
  items: AsyncIterable<Item>,
  options: { readonly json?: boolean | undefined; readonly toLines: (item: Item) => readonly string[] },
): Promise<number> {
  let count = 0
  for await (const item of items) {
    count += 1
    for (const line of options.json ? [JSON.stringify(item)] : options.toLines(item)) await writeLine(cli, line)
  }
  return count
}
