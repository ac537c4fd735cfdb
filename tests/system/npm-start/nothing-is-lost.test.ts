import assert from 'node:assert/strict'
import { assertNone } from '../../support/assert-none.ts'
import { succeeds } from '../../support/command-line.ts'
import { type MintProcess, startMint } from '../../support/mint-process.ts'
import {
  assertFirstAnswers,
  loadUntilKilled,
  markOf,
  newRecordedLoad,
  type RecordedLoad,
  settleDoubts,
  versionIn,
} from '../../support/recorded-load.ts'
import { aNewContract, type Rest, restClient } from '../../support/rest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const ROUNDS = 4
const CALLERS = 12
/** Answered keyed requests (half of all) before each kill: at least MIN_ANSWERED, plus up to RANDOM_EXTRA at random. */
const [MIN_ANSWERED, RANDOM_EXTRA] = [40, 100]
const KEY = 'mint_nothing-is-lost-0123456789'

describe('A Mint that is repeatedly killed with kill -9', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  const recorded = newRecordedLoad()
  let mint: MintProcess
  let call: Rest

  const start = async (): Promise<void> => {
    const environment = { MINT_API_KEY: KEY }
    mint = await startMint({ dataFolder: folder.path, environment })
    call = restClient(mint)
  }

  before(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await start()
      await call('PUT', '/closing', { closedThrough: '1999-12-31', reason: `Round ${round}.` })
      await call('PATCH', '/firm', { name: `Firm ${round}` })
      const proposed = { action: 'create', fields: aNewContract(), reason: `Round ${round}.` }
      assert.equal((await call('POST', '/proposals', proposed)).status, 201)
      await settleDoubts(call, recorded)
      await assertFirstAnswers(call, recorded, 20)
      const load = loadUntilKilled(call, recorded, CALLERS)
      const enough = recorded.keyed.length + MIN_ANSWERED + Math.random() * RANDOM_EXTRA
      const answered = waitFor(() => recorded.keyed.length > enough, {
        what: 'answers to be killed after',
      })
      await Promise.race([load, answered])
      await mint.kill()
      await load
    }
    await start()
    await settleDoubts(call, recorded)
  })
  after(async () => {
    await mint.kill()
    folder.remove()
  })

  it('was busy enough for these tests to be meaningful', () => {
    assert.ok(recorded.records.size > 200, `${recorded.records.size} records`)
    assert.ok(recorded.keyed.length > 100, `${recorded.keyed.length} keyed requests`)
  })

  it('has every acknowledged write, unchanged', async () => {
    for (const { path, body, version } of recorded.records.values()) {
      const answer = await call('GET', path)
      assert.deepEqual([answer.status, answer.body, versionIn(answer)], [200, body, version])
    }
  })

  it('has every closing, edit of the firm and proposal, in the order of the rounds', async () => {
    const listed = async (path: string) => (await call('GET', path)).body
    const { events: closings } = await listed('/closing/history')
    const { events: edits } = await listed('/firm/history')
    const { proposals } = await listed('/proposals')
    const rounds = Array.from({ length: ROUNDS }, (_, round) => round)
    const reasons = rounds.map((round) => `Round ${round}.`)
    const firms = rounds.map((round) => `Firm ${round}`)
    const reasonOf = ({ reason }: Listed) => reason
    assert.deepEqual([closings.map(reasonOf), proposals.map(reasonOf)], [reasons, reasons.toReversed()])
    assert.deepEqual(
      edits.map(({ data }: { readonly data: Listed }) => data.name),
      firms,
    )
  })

  it('repeats the first answer to every keyed request', () => assertFirstAnswers(call, recorded, 300))

  it('has every record exactly once, under a unique number or id', async () => {
    for (const collection of ['contracts', 'businesses'] as const) {
      const records = await listAll(call, collection)
      assert.equal(new Set(records.map(({ id }) => id)).size, records.length)
      const marks = records.map(markOf)
      assert.equal(new Set(marks).size, marks.length, 'no creation took effect twice')
      const acknowledged = new Set(acknowledgedMarks(recorded, collection))
      const others = marks.filter((mark) => !acknowledged.has(mark))
      assert.equal(marks.length - others.length, acknowledged.size)
      assertNone(others.filter((mark) => !recorded.neverAnswered.has(mark)))
    }
  })

  it('has a client for every business, under its current name', async () => {
    const expected = (await listAll(call, 'businesses')).map(({ clientId, operatedAs }) => `${clientId} ${operatedAs}`)
    await waitFor(
      async () => {
        const clients = (await listAll(call, 'clients')).map(
          ({ clientId, displayName }) => `${clientId} ${displayName}`,
        )
        assert.deepEqual(clients.sort(), expected.sort())
        return true
      },
      { what: 'the clients to follow the businesses' },
    )
  })

  it('has gapless logs, complete streams, and views and sums equal to what the logs fold to', async () => {
    mint.signal('SIGTERM')
    await mint.ended
    await succeeds(['verify'], { DATA_DIR: folder.path })
  })
})

type Listed = Record<string, unknown>

async function listAll(call: Rest, collection: 'contracts' | 'businesses' | 'clients'): Promise<Listed[]> {
  const all: Listed[] = []
  for (;;) {
    const { body } = await call('GET', `/${collection}?limit=100&offset=${all.length}`)
    all.push(...body[collection])
    if (body[collection].length === 0) {
      assert.equal(body.total, all.length)
      return all
    }
  }
}

function acknowledgedMarks(recorded: RecordedLoad, collection: string): string[] {
  const records = [...recorded.records.values()].filter(({ path }) => path.startsWith(`/${collection}/`))
  return records.map(({ body }) => markOf(body))
}
