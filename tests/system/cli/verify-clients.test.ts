import assert from 'node:assert/strict'
import { type DataFolder, openDataFolder } from '../../../cli/start/data-folder.ts'
import { createBusinessesApp } from '../../../services/businesses/service.ts'
import { newUuid } from '../../../shared/calls/ids.ts'
import { relayOf } from '../../../shared/runtime/settings/topic-names.ts'
import { jsonLines, mint } from '../../support/command-line.ts'
import { fillFolder, openServicesOn } from '../../support/filled-folder.ts'
import { believe, withValue } from '../../support/forged-messages.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { aBusiness, present } from '../../support/requests.ts'
import { publishedBy } from '../../support/services.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const relay = relayOf('businesses')

describe('mint verify for Clients', () => {
  /** A Mint with three businesses, whose data is then changed. */
  async function folderAfter(doing: (data: DataFolder) => Promise<unknown>): Promise<string> {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 3 })
    const data = await openDataFolder(folder)
    await doing(data)
    await data.close()
    return folder
  }

  async function differences(folder: string): Promise<string[]> {
    const { output } = await mint(['verify', '--json'], { DATA_DIR: folder })
    const lines = jsonLines(output) as { type: string; kind: string; message: string }[]
    return lines.flatMap(({ type, kind, message }) => (type === 'difference' ? [`${kind}: ${message}`] : []))
  }

  /** Does what a start of Mint does, until its relay has published everything. */
  async function replay(folder: string): Promise<void> {
    assert.equal((await mint(['relay', 'replay'], { DATA_DIR: folder })).exitCode, 0)
    const { data, close } = await openServicesOn(folder)
    const head = await data.businesses.events.head()
    await waitFor(async () => (await data.businesses.checkpoints.read(relay)) === head, { what: 'the relay' })
    await close()
  }

  async function createOne({ businesses: database }: DataFolder): Promise<void> {
    const { businesses } = createBusinessesApp({ database, clock: Date.now, logger: quietLogger() })
    await businesses.createBusiness(aBusiness())
  }

  async function moveCheckpoint({ businesses: { checkpoints, events } }: DataFolder): Promise<void> {
    const lease = await checkpoints.acquire(relay, 'embedded', 1)
    assert.ok(await present(lease).advance(await events.head()))
  }

  const first = async ({ businesses }: DataFolder) => present((await publishedBy({ businessesData: businesses }))[0])

  it('finds one that is missing although its business was published, and relay replay creates it', async () => {
    const folder = await folderAfter(async (data) => {
      await createOne(data)
      await moveCheckpoint(data)
    })
    assert.deepEqual(await differences(folder), ['client: it is missing: cli/mint relay replay repairs it'])
    await replay(folder)
    assert.deepEqual(await differences(folder), [])
  })

  it('does not report one whose business is yet to be published', async () => {
    assert.deepEqual(await differences(await folderAfter(createOne)), [])
  })

  it('finds one that a forged message renamed for good, and relay replay repairs it', async () => {
    const folder = await folderAfter(async (data) => {
      const forged = withValue(await first(data), { operatedAs: 'Forged', version: Number.MAX_SAFE_INTEGER })
      await believe(data.contracts, [forged])
    })
    const [found, ...more] = await differences(folder)
    assert.match(present(found), /^client: .* at version 9007199254740991: cli\/mint relay replay repairs it/)
    assert.deepEqual(more, [])
    await replay(folder)
    assert.deepEqual(await differences(folder), [])
  })

  it('finds names that an earlier version skipped, and relay replay completes them', async () => {
    const folder = await folderAfter(async (data) => {
      const { businesses } = createBusinessesApp({
        database: data.businesses,
        clock: Date.now,
        logger: quietLogger(),
      })
      const { id } = JSON.parse((await first(data)).value)
      for (const operatedAs of ['Two', 'Three', 'Four', 'Five', 'Six']) {
        await businesses.editBusiness({ id, operatedAs })
      }
      await moveCheckpoint(data)
      const published = await publishedBy({ businessesData: data.businesses })
      const skipping = published.filter(({ value }) => [4, 6].includes(JSON.parse(value).version))
      await believe(data.contracts, skipping)
    })
    assert.deepEqual(await differences(folder), [
      'client: its names at versions 2 to 3, 5 of its business are missing: cli/mint relay replay completes them',
    ])
    await replay(folder)
    assert.deepEqual(await differences(folder), [])
  })

  it('finds one whose business does not exist', async () => {
    const business = newUuid()
    const folder = await folderAfter(async (data) =>
      believe(data.contracts, [withValue(await first(data), { id: business, clientId: newUuid() })]),
    )
    const [found, ...more] = await differences(folder)
    assert.match(present(found), new RegExp(`^client: no business ${business} with this clientId`))
    assert.deepEqual(more, [])
  })
})
