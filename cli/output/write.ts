import type { Cli } from '../cli.ts'
import { CommandFailure } from '../exit.ts'
import { printable, printableLine } from './printable.ts'

/** Whoever read the output stopped (`mint history … | head`), and has what it wanted. */
export class ReaderGone extends Error {}

/**
 * Writes to standard output what is not for reading, as it is and no faster than the reader takes it. Throws ReaderGone,
 * and CommandFailure where it can't be written (a full disk).
 */
export async function writeRaw({ out }: Pick<Cli, 'out'>, text: string): Promise<void> {
  const written = Promise.withResolvers<void>()
  out.write(text, (error) => (error ? written.reject(error) : written.resolve()))
  try {
    await written.promise
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new ReaderGone()
    throw new CommandFailure(`Standard output can't be written (${message}): send it where there is room.`, {
      cause: error,
    })
  }
}

/** Writes lines to standard output for a person, or one of JSON. Throws like writeRaw. */
export const writeText = (cli: Pick<Cli, 'out'>, text: string): Promise<void> => writeRaw(cli, printable(text))

/** Writes one line, whatever is in it. Throws like writeRaw. */
export const writeLine = (cli: Pick<Cli, 'out'>, line: string): Promise<void> =>
  writeRaw(cli, `${printableLine(line)}\n`)

/** Says something on standard error, in one line or several. */
export const writeError = ({ err }: Pick<Cli, 'err'>, text: string): boolean => err.write(`${printable(text)}\n`)

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
