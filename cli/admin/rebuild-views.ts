import type { AnyViewDefinition } from '../../shared/event-sourcing/ports/view.ts'
import { CommandFailure, EXIT } from '../exit.ts'
import { PART_NAMES, type PartName, type Parts, viewsOf } from './parts.ts'
import type { Report } from './report.ts'

export interface RebuildInput {
  /** undefined: every view. */
  readonly name?: string | undefined
}

/** A view that was built anew. */
export interface RebuiltView {
  readonly view: string
  readonly rows: number
}

interface PlacedView {
  readonly part: PartName
  readonly view: AnyViewDefinition
}

/** Builds views anew from the log, one after the other, while they are read and written. */
export async function* rebuildViews(parts: Parts, { name }: RebuildInput, report: Report): AsyncGenerator<RebuiltView> {
  for (const { part, view } of viewsNamed(name)) {
    const database = parts[part]
    const [head, opened] = [await database.inspection.head(), database.view(view)]
    await opened.rebuild((reached) => report(`building ${view.name}`, Math.min(reached, head), head))
    const { total } = await opened.list({ where: {}, search: '', limit: 1, offset: 0 })
    yield { view: view.name, rows: total }
  }
}

function viewsNamed(name: string | undefined): readonly PlacedView[] {
  const all = PART_NAMES.flatMap((part) => viewsOf[part].map((view) => ({ part, view })))
  const named = all.filter(({ view }) => name === undefined || view.name === name)
  if (named.length > 0) return named
  const names = all.map(({ view }) => view.name).join(', ')
  throw new CommandFailure(`There is no view ${name}. Views are: ${names}.`, { exitCode: EXIT.usage })
}
