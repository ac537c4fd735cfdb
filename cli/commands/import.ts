import type { Command } from 'commander'
import type { Imported } from '../admin/transfer/import.ts'
import type { Cli } from '../cli.ts'
import { onInterrupt } from '../exit.ts'
import { counted } from '../output/counted.ts'
import { withBar } from '../output/progress-bar.ts'
import { writeError, writeItems } from '../output/write.ts'
import { addCommand, addExample, JSON_VALUE, type JsonOption } from './add-command.ts'

/** `cli/mint import`. */
export function addImport(mint: Command, cli: Cli): void {
  const command = addCommand(
    mint,
    'import',
    'fill an empty Mint with an export, on either engine',
    'First stop Mint or, on MongoDB, every service. A file is checked completely before the first write; a pipe can ' +
      'only be checked at its end. An interrupted import resumes with the same file.',
  )
  addExample(command, 'mint.ndjson', 'MONGO_URL=mongodb://127.0.0.1:27017/?replicaSet=rs0 ')
    .argument('<file>', 'the file that `cli/mint export` wrote, or - for standard input')
    .option(...JSON_VALUE)
    .action(async (file: string, { json }: JsonOption) => {
      const { linesOf } = await import('../admin/transfer/lines.ts')
      const { readExport } = await import('../admin/transfer/read-export.ts')
      const { importLog, whatToDo } = await import('../admin/transfer/import.ts')
      const { openInput } = await import('../input-file.ts')
      const { openImportTarget } = await import('../target/import-target.ts')
      using input = openInput(file, 'name the file that `cli/mint export` wrote')
      const lines = () => linesOf(input.chunks())
      // A truncated file changes nothing; a truncated pipe shows only at its end.
      if (input.isRepeatable) for await (const _ of (await readExport(lines())).items);
      const reader = await readExport(lines())
      const target = await openImportTarget(cli.environment)
      using _interrupted = onInterrupt(() => writeError(cli, `\nInterrupted. ${whatToDo(target)}`))
      try {
        const imported = withBar(cli, async function* (report) {
          yield await importLog(target, reader, report)
        })
        await writeItems(cli, imported, { json, toLines })
      } finally {
        await target.close()
      }
    })
}

function toLines({ events, alreadyThere }: Imported): readonly string[] {
  const before = alreadyThere === 0 ? '' : `, ${alreadyThere} of them in an import that was interrupted`
  return [`Imported ${counted(events, 'event')}${before}.`]
}
