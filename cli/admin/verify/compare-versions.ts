import type { AnyViewDefinition } from '../../../shared/event-sourcing/ports/view.ts'
import { type StoredVersion, storedNames } from '../../../shared/event-sourcing/stored-versions.ts'

/** A version that a view must store, by the log. */
export interface ExpectedVersion extends StoredVersion {
  /** Whether another one of the same commit follows: a view may then leave it out. */
  readonly isInner: boolean
}

export interface WrongVersion {
  readonly version: number
  /** What was expected, and what is there. */
  readonly message: string
}

/**
 * Compares the versions of one record that a view stores with those in the log. Of the latter the first
 * `due` must be stored; the others may be, since they were appended while the stored ones were read.
 */
export function compareVersions(
  view: AnyViewDefinition,
  expected: readonly ExpectedVersion[],
  due: number,
  stored: readonly StoredVersion[],
): WrongVersion[] {
  const inLog = new Map(expected.map((one) => [one.version, one]))
  const seen = new Set<number>()
  const wrong: WrongVersion[] = []
  for (const one of stored) {
    const { version } = one
    if (seen.has(version)) wrong.push({ version, message: 'it is there more than once' })
    seen.add(version)
    const message = differences(view, one, inLog.get(version))
    if (message !== undefined) wrong.push({ version, message })
  }
  const missing = expected.slice(0, due).filter(({ version, isInner }) => !isInner && !seen.has(version))
  return [...wrong, ...missing.map(({ version }) => ({ version, message: 'it is missing' }))]
}

function differences(view: AnyViewDefinition, stored: StoredVersion, inLog: StoredVersion | undefined) {
  if (inLog === undefined) return 'it is not in the log'
  const differing = storedNames(view).flatMap((name, index) => {
    const [is, shouldBe] = [stored.values[index], inLog.values[index]]
    return is === shouldBe ? [] : [`${name} is ${shown(name, is)}, but ${shown(name, shouldBe)} in the log`]
  })
  return differing.length === 0 ? undefined : differing.join('; ')
}

function shown(name: string, value: string | number | undefined): string {
  const isTime = (name === 'at' || name === 'since') && !Number.isNaN(new Date(value ?? '').getTime())
  return isTime ? new Date(value ?? '').toISOString() : String(value)
}
