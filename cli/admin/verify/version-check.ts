import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { type StoredVersion, versionStorer } from '../../../shared/event-sourcing/stored-versions.ts'
import { compareVersions, type ExpectedVersion } from './compare-versions.ts'
import type { Difference } from './findings.ts'
import type { VerifyOptions } from './first-look.ts'
import { allStoredVersions, placeOf } from './stored-versions.ts'
import { slotOf } from './version-fingerprints.ts'

/** Compares one by one the versions that a view stores of suspect records with those in the log. */
export type VersionCheck = ReturnType<typeof createVersionCheck>

interface LogReading {
  /** Ids of records that can't be folded. */
  readonly unreadable: ReadonlySet<string>
  /** Reads the rest of the log, and passes its versions to `expect`. */
  readOn(): Promise<void>
}

/** Suspects the records whose ids are in these slots. */
export function createVersionCheck(view: AnyViewDefinition, slots: ReadonlySet<number>) {
  const expected = new Map<string, ExpectedVersion[]>()
  const toStored = versionStorer(view)
  const isSuspect = (id: string): boolean => slots.size > 0 && slots.has(slotOf(id))

  async function readStored({ inspection, findings }: VerifyOptions): Promise<Map<string, StoredVersion[]>> {
    const stored = new Map<string, StoredVersion[]>()
    for await (const page of allStoredVersions(inspection, view, findings)) {
      for (const one of page) if (isSuspect(one.id)) append(stored, one)
    }
    return stored
  }

  return {
    isSuspect,
    /** Takes a version from the log, in order; `isInner`: another one of the same commit follows. */
    expect(row: ViewRow, isInner: boolean): void {
      if (isSuspect(row.id)) append(expected, { ...toStored(row), isInner })
    },
    /** What is wrong. Everything in the log before the call must be stored; what is stored must be in the log after. */
    async findWrong(options: VerifyOptions, { unreadable, readOn }: LogReading): Promise<Omit<Difference, 'part'>[]> {
      if (slots.size === 0) return []
      const due = new Map([...expected].map(([id, versions]) => [id, versions.length]))
      const stored = await readStored(options)
      await readOn()
      const { kind, where } = placeOf(view)
      const ids = [...new Set([...expected.keys(), ...stored.keys()])].filter((id) => !unreadable.has(id))
      return ids.flatMap((id) =>
        compareVersions(view, expected.get(id) ?? [], due.get(id) ?? 0, stored.get(id) ?? []).map(
          ({ version, message }) => ({ kind, where: `${where}, row ${id}, version ${version}`, message }),
        ),
      )
    },
  }
}

function append<One extends StoredVersion>(byId: Map<string, One[]>, one: One): void {
  const versions = byId.get(one.id)
  if (versions) versions.push(one)
  else byId.set(one.id, [one])
}
