import assert from 'node:assert/strict'
import { createFindings } from '../../../cli/admin/verify/findings.ts'
import { scanLog } from '../../../cli/admin/verify/first-look.ts'
import { checkSuspectVersions } from '../../../cli/admin/verify/suspect-versions.ts'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { BEGINNING } from '../../../shared/event-sourcing/event.ts'
import type { Inspection } from '../../../shared/event-sourcing/ports/inspection.ts'
import type { StoredVersion } from '../../../shared/event-sourcing/stored-versions.ts'

const ENTRIES = 200_000

describe('mint verify of a thoroughly damaged file', () => {
  it('names only a thousand versions, to bound memory, and says that there are more', async () => {
    const versions = Array.from({ length: ENTRIES }, (_, index): StoredVersion => {
      return { id: String(index + 1), version: 1, values: [] }
    })
    const inspection: Inspection = {
      head: async () => BEGINNING,
      readCommits: async () => [],
      compareRows: async () => [],
      countRows: async () => 0,
      rowIds: async () => [],
      storedVersions: async () => ({ versions, damage: [], next: undefined }),
      lastNumber: async () => 0,
    }
    const findings = createFindings('contracts')
    const options = { inspection, views: [contractsView], rules: {}, findings }
    const { views } = await scanLog(options, () => undefined)
    for (const view of views.values()) await checkSuspectVersions(options, view)
    const found = [...findings.found.values()]
    assert.equal(found.length, 1_001)
    assert.match(found.at(-1)?.message ?? '', /^\d+ more versions are wrong, and others were not checked:/)
  }).timeout(20_000)
})
