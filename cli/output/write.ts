import type { Writable } from 'node:stream'
import { CommandFailure } from '../exit.ts'

/** Where a command writes. */
export interface Output {
  /** For results. */
  readonly out: Writable & { readonly isTTY?: boolean }
  /** For everything else; a progress bar is drawn only if it is a terminal. */
  readonly err: Writable & { readonly isTTY?: boolean }
}

/** The reader of the output stopped (`mint history … | head`), and has what it wanted. */
export class ReaderGone extends Error {}

/**
 * Writes text to standard output unchanged, no faster than it is read. Throws ReaderGone, and CommandFailure
 * if it can't be written (a full disk).
 */
export async function writeRaw({ out }: Pick<Output, 'out'>, text: string): Promise<void> {
  const written = Promise.withResolvers<void>()
  out.write(text, (error) => (error ? written.reject(error) : written.resolve()))
  try {
    await written.promise
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') throw new ReaderGone()
    throw new CommandFailure(`Standard output can't be written (${message}): redirect it to where there is room.`, {
      cause: error,
    })
  }
}

/** Writes lines to standard output for a person, or one of JSON. Throws like writeRaw. */
export const writeText = (cli: Pick<Output, 'out'>, text: string): Promise<void> => writeRaw(cli, printable(text))

/** Writes text as one line, escaping any line ends in it. Throws like writeRaw. */
export const writeLine = (cli: Pick<Output, 'out'>, line: string): Promise<void> =>
  writeRaw(cli, `${printableLine(line)}\n`)

/** Writes one or more lines to standard error. */
export const writeError = ({ err }: Pick<Output, 'err'>, text: string): boolean => err.write(`${printable(text)}\n`)

/**
 * Writes each item as one JSON value per line, or as lines for people; returns how many there were. Without a reader it
 * takes the rest all the same: an operation ends with its last item, and the exit code depends on all of them.
 */
export async function writeItems<Item>(
  cli: Pick<Output, 'out'>,
  items: AsyncIterable<Item>,
  options: { readonly json?: boolean | undefined; readonly toLines: (item: Item) => readonly string[] },
): Promise<number> {
  let count = 0
  let isRead = true
  for await (const item of items) {
    count += 1
    if (!isRead) continue
    try {
      for (const line of options.json ? [JSON.stringify(item)] : options.toLines(item)) await writeLine(cli, line)
    } catch (error) {
      if (!(error instanceof ReaderGone)) throw error
      isRead = false
    }
  }
  return count
}

/** Characters that move the cursor, change colours or reverse the direction of text on a terminal, and line ends. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/**
 * Escapes CONTROLS in a line as `\u001b`: names and notes come from callers of the API. In JSON that is an
 * escape too, so the value stays the same.
 */
export const printableLine = (line: string): string =>
  line.replace(CONTROLS, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Escapes CONTROLS in each line of a text. */
export const printable = (text: string): string => text.split('\n').map(printableLine).join('\n')

/** A text as a word of a command to paste into a shell: in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
