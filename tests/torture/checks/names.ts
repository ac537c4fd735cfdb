import type { History } from '../history.ts'
import type { ClientNames } from '../history-at-end.ts'

/** Reports read at the end that show a client with a name that its business did not have at that time. */
export function violationsOfNames(history: History): string[] {
  return history['client-names'].flatMap(({ clientId, names, shown }) =>
    shown.flatMap(({ asOf, name }) => {
      const right = nameAt(names, asOf)
      if (name === right) return []
      return [
        `client ${clientId} is named ${name} as of ${new Date(asOf).toISOString()}, and its business was ${right}`,
      ]
    }),
  )
}

/** The last name as of that time: versions may have equal times. */
const nameAt = (names: ClientNames['names'], asOf: number): string | null =>
  names.findLast(({ at }) => at <= asOf)?.name ?? null
