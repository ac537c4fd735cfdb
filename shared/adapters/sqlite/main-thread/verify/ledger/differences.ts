import type { ViewDifference } from '../../../../../event-sourcing/ports/inspection.ts'
import { inWords } from '../view-differences.ts'
import { entriesOf, type StoredLedger } from './entries.ts'
import { createVersionFingerprints, type StoredVersion, slotOf } from './version-fingerprints.ts'

/** How many slots are compared at a time: with a million records, some 65,000 are then in memory. */
const SLOTS_AT_A_TIME = 16_384

/** How a view's ledger differs from that of its copy: first by fingerprints, then version by version where these differ. */
export function* ledgerDifferences(stored: StoredLedger, copy: StoredLedger): Generator<ViewDifference> {
  const damages: ViewDifference[] = []
  const [is, shouldBe] = [createVersionFingerprints(), createVersionFingerprints()]
  for (const entry of entriesOf(stored, (damage) => damages.push(damage))) is.add(entry)
  for (const entry of entriesOf(copy)) shouldBe.add(entry)
  yield* damages
  const { texts, amounts } = stored.shape
  const names = ['at', ...texts, 'date', ...amounts]
  const slots = [...is.differingFrom(shouldBe)]
  for (let start = 0; start < slots.length; start += SLOTS_AT_A_TIME) {
    const some = new Set(slots.slice(start, start + SLOTS_AT_A_TIME))
    const [found, expected] = [entriesIn(stored, some), entriesIn(copy, some)]
    for (const id of new Set([...found.keys(), ...expected.keys()])) {
      for (const one of entryDifferences(names, found.get(id) ?? [], expected.get(id) ?? [])) {
        yield { of: 'ledger', id, ...one }
      }
    }
  }
}

function entriesIn(ledger: StoredLedger, slots: ReadonlySet<number>): Map<string, StoredVersion[]> {
  const byId = new Map<string, StoredVersion[]>()
  for (const entry of entriesOf(ledger)) {
    if (!slots.has(slotOf(entry.id))) continue
    const entries = byId.get(entry.id)
    if (entries) entries.push(entry)
    else byId.set(entry.id, [entry])
  }
  return byId
}

/** How the stored entries of one record differ from the expected ones, both in their order. */
function* entryDifferences(
  names: readonly string[],
  stored: readonly StoredVersion[],
  expected: readonly StoredVersion[],
): Generator<Omit<ViewDifference, 'of' | 'id'>> {
  const inLog = new Map(expected.map((one) => [one.version, one]))
  const seen = new Set<number>()
  for (const [index, { version, values }] of stored.entries()) {
    const before = stored[index - 1]?.version ?? 0
    if (seen.has(version)) yield { version, message: 'it is there more than once' }
    else if (version < before) yield { version, message: `it comes after version ${before}` }
    seen.add(version)
    const shouldBe = inLog.get(version)?.values
    const compared = names.map((name, at) => ({ name, is: values[at], shouldBe: shouldBe?.[at] }))
    const differing = compared.filter(({ is, shouldBe }) => is !== shouldBe)
    if (shouldBe === undefined) yield { version, message: 'it is not in the log' }
    else if (differing.length > 0) yield { version, message: inWords('ledger', differing) }
  }
  for (const version of inLog.keys()) {
    if (!seen.has(version)) yield { version, isMissing: true, message: 'it is missing' }
  }
}
