import { withEnd } from '../../cli/admin/transfer/export.ts'

/** An export with these lines and the matching end. */
export async function wholeExport(lines: readonly string[]): Promise<string> {
  const batches = (async function* () {
    yield { lines }
  })()
  let whole = ''
  for await (const { text } of withEnd(batches)) whole += text
  return whole
}
