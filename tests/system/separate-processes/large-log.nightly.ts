import assert from 'node:assert/strict'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import type { Position } from '../../../shared/event-sourcing/event.ts'
import type { RecordedCommit } from '../../../shared/event-sourcing/ports/inspection.ts'
import { peakMegabytes } from '../../support/attacks.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'

const CONTRACTS = 1_000
const EDITS = 6
const BATCH_SIZE = 200
/** Almost the longest notes allowed, in characters that take three bytes each in the log. */
const LONG_NOTES = '記'.repeat(9_990)
/** Options of the image; the heap is what Node chooses in a container of 512 MB. */
const CONTAINER_OPTIONS = { NODE_OPTIONS: '--max-semi-space-size=8 --max-old-space-size=256' }
const MAX_MEGABYTES = 470

const created = (id: number) => ({
  type: 'ContractCreated.v1',
  data: {
    id,
    clientId: '11111111-1111-1111-1111-111111111111',
    serviceName: 'Sales tax return',
    serviceType: 'tax-filing',
    serviceFee: '19.99',
    taxPercent: '8.25',
    totalFeeWithTax: '21.639175',
    serviceDate: '2026-01-31',
    notes: '',
  },
})

/** The creations of all contracts, then their edits, round by round, in batches. */
function* largeLog(): Generator<RecordedCommit[]> {
  for (let first = 0; first < CONTRACTS * (1 + EDITS); first += BATCH_SIZE) {
    yield Array.from({ length: BATCH_SIZE }, (_, index) => commitAt(first + index))
  }
}

function commitAt(index: number): RecordedCommit {
  const [id, version] = [(index % CONTRACTS) + 1, Math.floor(index / CONTRACTS) + 1]
  const edited = { type: 'ContractEdited.v1', data: { notes: `${LONG_NOTES}${version}` } }
  return {
    position: (index + 1) as Position,
    stream: { category: 'contract', id: `${id}` },
    version,
    commitId: `commit ${index}`,
    events: [version === 1 ? created(id) : edited],
    metadata: { at: Date.UTC(2026, 0, 31) + index, by: 'test', requestId: 'test' },
  }
}

describeOn(bothEngines(), 'A log with many large edits whose views are rebuilt', (mongoUrl) => {
  it('is read within the memory of a 512 MB container', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const name = `${mint.namespace}_contracts`
    const database = await openMongoDatabase({ url: mongoUrl, name, views: [], viewsFolder: newFolder() })
    for (const commits of largeLog()) await database.importer.writeCommits(commits)
    await database.close()

    const contracts = mint.start('contracts', CONTAINER_OPTIONS)
    await contracts.ready()
    const peak = peakMegabytes(contracts.pid)
    assert.ok(peak < MAX_MEGABYTES, `it took ${peak} MB`)
  }).timeout(120_000)
})
