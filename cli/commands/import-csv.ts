import { Argument, type Command, InvalidArgumentError } from 'commander'
import type { ImportProgress } from '../../console/csv/import-file.ts'
import type { KindPlural } from '../../shared/kinds/registry.ts'
import type { Cli } from '../cli.ts'
import { CommandFailure, onInterrupt } from '../exit.ts'
import { kindsFor } from '../kinds.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeError, writeLine } from '../output/write.ts'
import { addCommand, addExample, JSON_VALUE, type JsonOption } from './add-command.ts'
import { checkedInput } from './checked-input.ts'

type Words = Readonly<Record<'one' | 'many', string>>

interface ImportCsvOptions extends JsonOption {
  readonly map?: ReadonlyMap<string, string>
  readonly dryRun?: boolean
  readonly key?: string
  readonly overrideClosing?: string
}

/** What the field is called on the command line. */
const WORDS = { overrideReason: '--override-closing' }

/** `cli/mint import-csv`. */
export async function addImportCsv(mint: Command, cli: Cli, words: readonly string[]): Promise<void> {
  const kinds = await kindsFor('import-csv', words)
  const command = addCommand(
    mint,
    'import-csv',
    'create records from a CSV file',
    'Uses the running Mint at MINT_URL (http://127.0.0.1:8080) with the key in MINT_API_KEY. Every row is checked ' +
      'first; if one is wrong, all wrong ones are listed with their lines, and nothing is written. An import that was ' +
      'interrupted resumes with the same file, and creates nothing twice.',
  )
  addExample(command, "contracts services.csv --map 'Kunde=client' --dry-run")
    .addArgument(new Argument('<kind>').choices(kinds.map(({ many }) => many)))
    .argument('<file>', 'CSV in UTF-8, with the names of fields in its first line; - for standard input')
    .option(
      '--map <column=field>',
      'the field that a column fills, or none to leave it out; repeat it for each column',
      toMap,
    )
    .option('--dry-run', 'check only, and write nothing')
    .option('--key <name>', 'any name that is new, to import the same file once more', toKey)
    .option('--override-closing <reason>', 'write into closed periods, for this reason')
    .option(...JSON_VALUE)
    .action(async (many: KindPlural, path: string, options: ImportCsvOptions) => {
      const { dryRun: isDryRun = false, json } = options
      const imported = await importFile(cli, many, path, options).catch(async (error) => {
        const { SettingsError } = await import('../../shared/runtime/settings/read-settings.ts')
        const isExpected = error instanceof CommandFailure || error instanceof SettingsError
        if (json && isExpected) await writeLine(cli, JSON.stringify(toJson(error)))
        throw error
      })
      const { done: rows, created, replayed } = imported
      const one = kinds.find((kind) => kind.many === many)?.one ?? many
      await writeLine(
        cli,
        json ? JSON.stringify({ rows, created, replayed }) : toLine(imported, { one, many }, isDryRun),
      )
    })
}

async function importFile(
  cli: Cli,
  many: KindPlural,
  path: string,
  options: ImportCsvOptions,
): Promise<ImportProgress> {
  const { openApi } = await import('../csv/api.ts')
  const { importCsv, mappingOf, readFile } = await import('../csv/import-csv.ts')
  const { openInput } = await import('../input-file.ts')
  const { z } = await import('zod')
  const { closingReason } = await import('../../shared/fields/closing-fields.ts')
  const { map = new Map(), dryRun: isDryRun = false, key: name, overrideClosing } = options
  const rule = z.object({ overrideReason: closingReason.optional() })
  const { overrideReason } = await checkedInput(rule, { overrideReason: overrideClosing }, WORDS)
  const api = openApi(cli.environment, overrideReason)
  using _interrupted = onInterrupt(() => writeError(cli, `\nInterrupted. ${RESUME}`))
  using input = openInput(path, 'name a file that you may read')
  const file = await readFile(input)
  const job = { many, file, mapping: mappingOf(file, many, map), isDryRun, name }
  return await listWrongRows(
    cli,
    withBar(cli, (report) => importCsv(api, job, report)),
  )
}

const RESUME = 'The same command resumes with the same file, and creates nothing twice.'

/** Writes every wrong row to standard error, and returns the final progress. */
async function listWrongRows(cli: Cli, items: AsyncIterable<ImportProgress>): Promise<ImportProgress> {
  let last: ImportProgress | undefined
  for await (const progress of items) {
    for (const { line = 1, field, message } of progress.wrong) {
      writeError(cli, [`line ${line}`, field, message].filter((part) => part !== '').join(': '))
    }
    const more = progress.errors - (last?.errors ?? 0) - progress.wrong.length
    if (more > 0) writeError(cli, `… and ${more} more after line ${progress.wrong.at(-1)?.line ?? 1}.`)
    last = progress
  }
  if (last === undefined) throw new Error('an import ended without a result')
  return last
}

const toJson = (error: Error): object => ({
  error: error.message,
  ...(error instanceof CommandFailure && error.details),
})

function toLine({ done: rows, created, replayed }: ImportProgress, { one, many }: Words, isDryRun: boolean): string {
  if (isDryRun) return `${rows} ${rows === 1 ? 'row is' : 'rows are'} valid. Nothing was written.`
  const were = replayed === 1 ? 'was' : 'were'
  const before = replayed === 0 ? '' : `; ${replayed} ${were} there from an earlier run of the same import`
  return `Created ${created} ${created === 1 ? one : many}${before}.`
}

function toMap(text: string, map: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const at = text.lastIndexOf('=')
  if (at < 0) throw new InvalidArgumentError('Give a column and a field, as in Kunde=client.')
  return new Map([...map, [text.slice(0, at), text.slice(at + 1)]])
}

function toKey(text: string): string {
  if (!/^[\x21-\x7e]{1,100}$/.test(text)) throw new InvalidArgumentError('Give 1 to 100 visible ASCII characters.')
  return text
}
