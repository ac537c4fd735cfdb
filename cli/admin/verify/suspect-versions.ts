import { BEGINNING, type Position } from '../../../shared/event-sourcing/event.ts'
import type { AnyViewDefinition, ViewRow } from '../../../shared/event-sourcing/ports/view.ts'
import { type StoredVersion, versionStorer } from '../../../shared/event-sourcing/stored-versions.ts'
import { compareVersions, type ExpectedVersion } from './compare-versions.ts'
import { createFindings, type Difference } from './findings.ts'
import { type CheckedView, type VerifyOptions, wholeLog } from './first-look.ts'
import { foldStreams } from './folded-streams.ts'
import { allStoredVersions, placeOf } from './stored-versions.ts'
import { slotOf } from './version-fingerprints.ts'

/** How many slots are checked at a time: with a million records, some 65,000 are then in memory. */
const SLOTS_AT_A_TIME = 16_384
/** How many wrong versions are named. */
const MOST_NAMED = 1_000
/** A rebuild may swap the tables while they are read: what is wrong must be wrong twice. */
const CHECKS = 2

type Wrong = Omit<Difference, 'part'>

/** Compares one by one the versions that a view stores of suspect records with those in the log. */
export async function checkSuspectVersions(options: VerifyOptions, { view, suspectSlots }: CheckedView): Promise<void> {
  const slots = [...suspectSlots]
  let named = 0
  for (let start = 0; start < slots.length; start += SLOTS_AT_A_TIME) {
    const wrong = await findWrong(options, view, new Set(slots.slice(start, start + SLOTS_AT_A_TIME)))
    const more = named + wrong.length - MOST_NAMED
    for (const { kind, where, message } of wrong.slice(0, MOST_NAMED - named))
      options.findings.add(kind, where, message)
    named += wrong.length
    if (more <= 0) continue
    const { kind, where } = placeOf(view)
    const others = start + SLOTS_AT_A_TIME < slots.length ? ', and others were not checked' : ''
    return options.findings.add(kind, where, `${more} more versions are wrong${others}: rebuild the view`)
  }
}

async function findWrong(options: VerifyOptions, view: AnyViewDefinition, slots: ReadonlySet<number>) {
  let wrong: readonly Wrong[] = []
  for (let left = CHECKS; left > 0; left--) {
    wrong = await findWrongOnce(options, view, slots)
    if (wrong.length === 0) break
  }
  return wrong
}

/** Everything in the log before the versions are read must be stored, and what is stored must be in the log after. */
async function findWrongOnce(options: VerifyOptions, view: AnyViewDefinition, slots: ReadonlySet<number>) {
  const isSuspect = (id: string): boolean => slots.has(slotOf(id))
  const log = createLogVersions(options, view, isSuspect)
  await log.readOn()
  const due = new Map([...log.versions].map(([id, versions]) => [id, versions.length]))
  const stored = new Map<string, StoredVersion[]>()
  for await (const page of allStoredVersions(options.inspection, view, options.findings)) {
    for (const one of page) if (isSuspect(one.id)) append(stored, one)
  }
  await log.readOn()
  const { kind, where } = placeOf(view)
  const ids = [...new Set([...log.versions.keys(), ...stored.keys()])].filter((id) => !log.unreadable.has(id))
  return ids.flatMap((id) =>
    compareVersions(view, log.versions.get(id) ?? [], due.get(id) ?? 0, stored.get(id) ?? []).map(
      ({ version, message }): Wrong => ({ kind, where: `${where}, row ${id}, version ${version}`, message }),
    ),
  )
}

/** The versions of suspect records by the log, as far as it was read. */
function createLogVersions({ inspection }: VerifyOptions, view: AnyViewDefinition, isSuspect: (id: string) => boolean) {
  const versions = new Map<string, ExpectedVersion[]>()
  const toStored = versionStorer(view)
  const onVersion = (row: ViewRow, isInner: boolean) => append(versions, { ...toStored(row), isInner })
  // What is wrong with the log itself was found before.
  const { take, unreadable, touched } = foldStreams({ view, findings: createFindings('contracts'), onVersion })
  let reached: Position = BEGINNING
  return {
    versions,
    unreadable,
    async readOn(): Promise<void> {
      for await (const commits of wholeLog(inspection, reached)) {
        for (const commit of commits) {
          const { stream, position } = commit
          reached = position
          if (stream.category === view.category && isSuspect(stream.id)) take(commit)
        }
        touched.clear()
      }
    },
  }
}

function append<One extends StoredVersion>(byId: Map<string, One[]>, one: One): void {
  const versions = byId.get(one.id)
  if (versions) versions.push(one)
  else byId.set(one.id, [one])
}
