import { CommandFailure, EXIT } from '../exit.ts'
import { PART_NAMES, type Parts, viewsOf } from './parts.ts'
import type { Report } from './report.ts'

/** Rebuilds one view, or all in turn, from the log, without stopping reads or writes. */
export async function* rebuildViews(
  parts: Parts,
  { name }: { readonly name?: string | undefined },
  report: Report,
): AsyncGenerator<{ readonly view: string; readonly rows: number }> {
  const all = PART_NAMES.flatMap((part) => viewsOf[part].map((view) => ({ part, view })))
  const named = all.filter(({ view }) => name === undefined || view.name === name)
  if (named.length === 0) {
    const names = all.map(({ view }) => view.name).join(', ')
    throw new CommandFailure(`There is no view ${name}. The views are: ${names}.`, { exitCode: EXIT.usage })
  }
  for (const { part, view } of named) {
    const database = parts[part]
    const [head, opened] = [await database.inspection.head(), database.view(view)]
    await opened.rebuild((reached) => report(`building ${view.name}`, Math.min(reached, head), head))
    const { total } = await opened.list({ where: {}, search: '', limit: 1, offset: 0 })
    yield { view: view.name, rows: total }
  }
}
