import { createClosings, type RecordedClosing } from '../../services/contracts/closing/closings.ts'
import type { ClosingFields } from '../../services/contracts/closing/events.ts'
import { apiKeysView } from '../../shared/api-keys/view.ts'
import { cliContext, type Parts } from './parts.ts'

/** The closing after one of its changes. */
export interface ShownClosing extends Omit<RecordedClosing, 'at'> {
  /** RFC 3339. */
  readonly at: string
  /** The name of the API key that did it; null: there is no such key. */
  readonly byName: string | null
}

/** Changes read in one step. */
const STEP = 100

/** The closing as it is; nothing while nothing was ever closed. */
export async function* showClosing(parts: Parts, _input: object): AsyncGenerator<ShownClosing> {
  const closings = closingsOf(parts)
  yield* shown(parts, await closings.at(await closings.version()))
}

/** Closes the books, or opens them again. */
export async function* setClosing(parts: Parts, closing: ClosingFields): AsyncGenerator<ShownClosing> {
  const closings = closingsOf(parts)
  const outcome = await closings.set(closing, undefined, cliContext())
  if (outcome.type !== 'done') throw new Error(`Setting the closing came to ${outcome.type}.`)
  yield* shown(parts, await closings.at(outcome.version))
}

/** Everything that was ever closed and opened, oldest first. */
export async function* closingHistory(parts: Parts, _input: object): AsyncGenerator<ShownClosing> {
  for (let offset = 0; ; offset += STEP) {
    const { closings } = await closingsOf(parts).history({ limit: STEP, offset })
    yield* shown(parts, ...closings)
    if (closings.length < STEP) return
  }
}

const closingsOf = ({ contracts }: Parts) => createClosings(contracts, Date.now)

async function* shown(
  { gateway }: Parts,
  ...closings: readonly (RecordedClosing | undefined)[]
): AsyncGenerator<ShownClosing> {
  for (const closing of closings) {
    if (closing === undefined) continue
    const byName = (await gateway.view(apiKeysView).get(closing.by))?.state.name ?? null
    yield { ...closing, at: new Date(closing.at).toISOString(), byName }
  }
}
