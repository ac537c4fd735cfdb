import { createHash } from 'node:crypto'
import { z } from 'zod'
import { CommandFailure } from '../../exit.ts'
import { firstIssue } from '../log-shapes.ts'
import { type ExportedItem, endLine, FORMAT, type Header, headerLine, itemLines } from './format.ts'

/** The file is not a complete export. The message says what is wrong with it. */
export class BrokenExport extends CommandFailure {}

/** An export being read: its header, then its items. */
export interface ExportReader {
  readonly header: Header
  /** Throws BrokenExport: at the latest at its end, if the last line is missing or does not match the others. */
  readonly items: AsyncIterable<ExportedItem>
}

/** People compress exports, and some shells convert what is redirected to a file. */
const NO_EXPORT =
  'This is not a Mint export: name the file as `cli/mint export` wrote it, neither compressed nor in another encoding.'

/** Reads an export from its lines (without line feeds). Throws BrokenExport. */
export async function readExport(source: AsyncIterable<string>): Promise<ExportReader> {
  const lines = checkedLines(source)
  const first = await lines.next()
  if (first.done) throw new BrokenExport('The file is empty: it is not a Mint export.')
  const header = parse(headerLine, first.value, NO_EXPORT)
  if (header.format <= FORMAT) return { header, items: readItems(lines) }
  throw new BrokenExport(
    `The file has format ${header.format}, and this version of Mint reads formats up to ${FORMAT}: import it with ` +
      'the version that wrote it.',
  )
}

async function* readItems(lines: AsyncIterable<string>): AsyncGenerator<ExportedItem> {
  let number = 1
  const heads = { contracts: 0, businesses: 0, gateway: 0 }
  for await (const text of lines) {
    number += 1
    const refusal = `Line ${number} can't be imported`
    const item = readItem(text, refusal)
    if ('events' in item) {
      const { part, position, events } = item
      const head = heads[part]
      const gap = `it has position ${position} of ${part}, after ${head}`
      if (position !== head + 1) throw new BrokenExport(`${refusal}: ${gap}. ${CHANGED}`)
      heads[part] += events.length
    }
    yield item
  }
}

const CHANGED = 'The file is damaged, or was changed.'

/** Checks everything that the import relies on, so that a failure names what is wrong with the line. */
function readItem(text: string, refusal: string): ExportedItem {
  const line = parse(z.record(z.string(), z.unknown()), text, `${refusal}: it is not a JSON object.`)
  const kind = (Object.keys(itemLines) as (keyof typeof itemLines)[]).find((name) => name in line)
  if (kind === undefined) throw new BrokenExport(`${refusal}: it is not a line of an export.`)
  const item = itemLines[kind].safeParse(line)
  if (item.success) return item.data
  throw new BrokenExport(`${refusal}: ${firstIssue(item.error)}. ${CHANGED}`)
}

/** Yields all lines but the last, and checks the last against them. */
async function* checkedLines(source: AsyncIterable<string>): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let count = 0
  let last: string | undefined
  for await (const line of source) {
    if (last !== undefined) {
      hash.update(`${last}\n`)
      count += 1
      yield last
    }
    last = line
  }
  if (last === undefined) return
  const { end } = parse(endLine, last, 'The file is truncated: its last line is missing.')
  if (end.lines !== count) throw new BrokenExport(`The file is damaged: it has ${count} lines, not ${end.lines}.`)
  if (end.sha256 !== hash.digest('hex')) throw new BrokenExport('The file is damaged: its checksum does not match.')
}

function parse<Schema extends z.ZodType>(schema: Schema, text: string, otherwise: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw new BrokenExport(otherwise, { cause })
  }
}
