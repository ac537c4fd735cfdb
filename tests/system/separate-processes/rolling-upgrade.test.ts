import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { otherVersion } from '../../support/changed-tree.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { freePort } from '../../support/free-port.ts'
import { aNewContract, type Rest } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const CALLERS = 8

/** Callers that create, edit, read and list their own records, and must always see their own writes. */
function startLoad(call: Rest) {
  const latest = new Map<string, Record<string, unknown>>()
  let answered = 0
  let isFinishing = false

  /** Creates a record and edits it; every read and list must show the last edit. */
  async function writeAndRead(caller: number): Promise<void> {
    const clientId = `11111111-1111-4111-8111-${String(caller).padStart(12, '0')}`
    const created = await call('POST', '/contracts', aNewContract({ clientId }))
    assert.equal(created.status, 201, created.text)
    const path = created.headers.get('location') ?? ''
    for (const serviceFee of [1, 2, 3]) {
      const edited = await call('PATCH', path, { serviceFee })
      assert.equal(edited.status, 200, edited.text)
      latest.set(path, edited.body)
      const read = await call('GET', path)
      assert.deepEqual([read.status, read.body], [200, edited.body])
      const list = await call('GET', `/contracts?clientId=${clientId}&limit=1`)
      assert.deepEqual([list.status, list.body.contracts], [200, [edited.body]])
      answered++
    }
  }

  const loads = Array.from({ length: CALLERS }, async (_, caller) => {
    while (!isFinishing) await writeAndRead(caller)
  })
  const ended = Promise.all(loads)
  // Awaited by finish; silences the unhandled-rejection warning until then.
  ended.catch(() => undefined)
  return {
    /** Waits until each caller has seen more of its edits, or one has failed. */
    async untilProgress() {
      const before = answered
      await Promise.race([ended, waitFor(() => answered > before + 5 * CALLERS, { timeout: 30_000, what: 'answers' })])
    },
    async finish() {
      isFinishing = true
      await ended
      return latest
    },
  }
}

describeOn(bothEngines(), 'Two versions of Mint with different definitions of a view', (mongoUrl) => {
  it('run side by side under load, and one replaces the other, with nothing refused, stale or lost', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const later = otherVersion(
      'services/contracts/contract/view.ts',
      'searchTexts: [',
      'searchTexts: [(contract) => contract.notes, ',
    )
    atEnd(() => later.remove())
    const views = newFolder()
    const ports = await Promise.all(Array.from({ length: 4 }, () => freePort()))
    const [first, second, third, fourth] = ports as [number, number, number, number]
    const settings = (port: number) => ({ CONTRACTS_PORT: `${port}`, VIEWS_DIR: views })

    const earlier = [mint.start('contracts', settings(first)), mint.start('contracts', settings(second))]
    const gateway = mint.start('gateway', {
      CONTRACTS_ADDRESS: `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join()}`,
    })
    await Promise.all([...earlier, mint.start('businesses')].map((part) => part.ready()))
    const call = await mint.callerOf(gateway)
    await waitFor(async () => (await call('GET', '/readyz')).status === 200, { timeout: 20_000, what: 'the gateway' })

    const load = startLoad(call)
    await load.untilProgress()
    await mint.start('contracts', settings(third), { folder: later.path }).ready()
    await load.untilProgress()
    assert.equal(await earlier[0]?.end(), 0)
    await load.untilProgress()
    await mint.start('contracts', settings(fourth), { folder: later.path }).ready()
    await load.untilProgress()
    assert.equal(await earlier[1]?.end(), 0)
    await load.untilProgress()
    const latest = await load.finish()

    const folders = readdirSync(views).map((name) => name.split('-').at(-2))
    assert.equal(new Set(folders).size, 2, `each version has files of its own: ${folders}`)
    for (const [path, record] of latest) assert.deepEqual((await call('GET', path)).body, record)
    const { body } = await call('GET', '/contracts?limit=1')
    assert.ok(Number(body.total) >= latest.size)
  }).timeout(120_000)
})
