import { once } from 'node:events'
import type { Cli } from '../cli.ts'

/** Writes a line to standard output, no faster than its reader takes it. */
export async function writeLine({ out }: Pick<Cli, 'out'>, line: string): Promise<void> {
  if (!out.write(`${line}\n`)) await once(out, 'drain')
}

/** Writes each item as one JSON value a line, or as lines for people. */
export async function writeItems<Item>(
  cli: Pick<Cli, 'out'>,
  items: AsyncIterable<Item>,
  {
    json = false,
    toLines,
  }: { readonly json?: boolean | undefined; readonly toLines: (item: Item) => readonly string[] },
): Promise<number> {
  let count = 0
  for await (const item of items) {
    count += 1
    for (const line of json ? [JSON.stringify(item)] : toLines(item)) await writeLine(cli, line)
  }
  return count
}
