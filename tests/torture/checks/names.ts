import type { History } from '../history.ts'
import type { ClientNames } from '../history-at-end.ts'

/** Reports, at the end, that show a client by another name than its business had at the time. */
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

/** The last one that counts then: versions may have the same time. */
const nameAt = (names: ClientNames['names'], asOf: number): string | null =>
  names.findLast(({ at }) => at <= asOf)?.name ?? null
