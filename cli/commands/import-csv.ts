import { Argument, type Command, InvalidArgumentError } from 'commander'
import { SettingsError } from '../../shared/runtime/settings/read-settings.ts'
import type { Cli } from '../cli.ts'
import type { CsvImported, WrongRow } from '../csv/import-csv.ts'
import { ImportRefusal } from '../csv/refusal.ts'
import { CommandFailure, onInterrupt } from '../exit.ts'
import { example, type JsonOption } from '../output/options.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeError, writeLine } from '../output/write.ts'
import { checkedInput } from './checked-input.ts'

interface ImportCsvOptions extends JsonOption {
  readonly map: ReadonlyMap<string, string>
  readonly dryRun?: boolean
  readonly key?: string
  readonly overrideClosing?: string
}

/** What the field is called on the command line. */
const WORDS = { overrideReason: '--override-closing' }

/** `cli/mint import-csv`. */
export function addImportCsv(mint: Command, cli: Cli): void {
  mint
    .command('import-csv')
    .summary('create contracts or businesses from a CSV file')
    .description(
      'Creates a record for each row of a file of any length, through the running Mint at MINT_URL ' +
        '(http://127.0.0.1:8080) with the key in MINT_API_KEY. Every row is checked first; if one is ' +
        'wrong, all wrong ones are listed with their lines, and nothing is written. An import that was ' +
        'interrupted resumes with the same file, and creates nothing twice.',
    )
    .addArgument(new Argument('<kind>').choices(['contracts', 'businesses']))
    .argument('<file>', 'CSV in UTF-8, with the names of fields in its first line; - for standard input')
    .option('--map <column=field>', 'what a column is called in Mint; repeat it for each', toMap, new Map())
    .option('--dry-run', 'only check')
    .option('--key <name>', 'to import the same file once more, a name for this time', toKey)
    .option('--override-closing <reason>', 'write into closed periods, for this reason')
    .option('--json', 'for machines: say how it ended as one JSON value')
    .addHelpText('after', example("import-csv contracts services.csv --map 'Kunde=client' --dry-run"))
    .action(async (kind: string, path: string, options: ImportCsvOptions) => {
      const { dryRun: isDryRun = false, json } = options
      const imported = await importFile(cli, kind, path, options).catch(async (error) => {
        const isExpected = error instanceof CommandFailure || error instanceof SettingsError
        if (json && isExpected) await writeLine(cli, JSON.stringify(toJson(error)))
        throw error
      })
      const { rows, created, replayed } = imported
      await writeLine(cli, json ? JSON.stringify({ rows, created, replayed }) : toLine(imported, kind, isDryRun))
    })
}

async function importFile(cli: Cli, kind: string, path: string, options: ImportCsvOptions): Promise<CsvImported> {
  const { openApi } = await import('../csv/api.ts')
  const { openCsvFile } = await import('../csv/csv-file.ts')
  const { mappedHeader } = await import('../csv/header.ts')
  const { importCsv } = await import('../csv/import-csv.ts')
  const { z } = await import('zod')
  const { closingReason } = await import('../../shared/fields/closing-fields.ts')
  const { map, dryRun: isDryRun = false, key, overrideClosing } = options
  const rule = z.object({ overrideReason: closingReason.optional() })
  const { overrideReason } = await checkedInput(rule, { overrideReason: overrideClosing }, WORDS)
  const send = openApi(cli.environment)
  using _interrupted = onInterrupt(() => writeError(cli, `\nInterrupted. ${RESUME}`))
  using file = await openCsvFile(path)
  const header = await mappedHeader(file, map)
  const items = withBar(cli, (report) => importCsv(send, { kind, file, header, isDryRun, key, overrideReason }, report))
  return await listWrongRows(cli, items)
}

const RESUME = 'The same command resumes with the same file, and creates nothing twice.'

/** Writes every wrong row to standard error, and returns how it ended. */
async function listWrongRows(cli: Cli, items: AsyncIterable<WrongRow | CsvImported>): Promise<CsvImported> {
  let imported: CsvImported | undefined
  for await (const item of items) {
    if (item.type === 'imported') imported = item
    else if (item.type === 'more') writeError(cli, `… and ${item.count} more after line ${item.line}.`)
    else writeError(cli, [`line ${item.line}`, item.field, item.message].filter((part) => part !== '').join(': '))
  }
  if (imported === undefined) throw new Error('an import ended without a result')
  return imported
}

const toJson = (error: Error): object => ({
  error: error.message,
  ...(error instanceof ImportRefusal && error.known),
})

function toLine({ rows, created, replayed }: CsvImported, kind: string, isDryRun: boolean): string {
  if (isDryRun) return `${rows} ${rows === 1 ? 'row is' : 'rows are'} valid. Nothing was written.`
  const were = replayed === 1 ? 'was' : 'were'
  const before = replayed === 0 ? '' : `; ${replayed} ${were} there from an earlier run of the same import`
  return `Created ${created} ${created === 1 ? ONE[kind] : kind}${before}.`
}

const ONE: Readonly<Record<string, string>> = { contracts: 'contract', businesses: 'business' }

function toMap(text: string, map: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const at = text.lastIndexOf('=')
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError('Give a column and a field, as in Kunde=client.')
  return new Map([...map, [text.slice(0, at), text.slice(at + 1)]])
}

function toKey(text: string): string {
  if (!/^[\x21-\x7e]{1,100}$/.test(text)) throw new InvalidArgumentError('Give 1 to 100 visible ASCII characters.')
  return text
}
