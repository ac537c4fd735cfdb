import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Business } from '../../shared/gen/mint/businesses/v1/businesses.ts'
import type { Contract } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { atEnd } from '../support/cleanup.ts'
import { mint } from '../support/command-line.ts'
import { aContract, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Databases of format 1, written by Mint 0.1.0, and its answers to requests for everything. */
const FIXTURE = new URL('../fixtures/format-1/', import.meta.url)
const before: {
  readonly contracts: { readonly contracts: readonly Contract[]; readonly total: number }
  readonly businesses: { readonly businesses: readonly Business[]; readonly total: number }
} = JSON.parse(readFileSync(new URL('lists.json', FIXTURE), 'utf8'))

const EVERYTHING = { search: '', limit: 100, offset: 0 }

describe('Databases of the first format', () => {
  const open = () => openServices({ prepare: unpackInto })

  it('give the same answers as before', async () => {
    const { contracts, businesses } = await open()
    assert.deepEqual(await contracts.listContracts(EVERYTHING), before.contracts)
    assert.deepEqual(await businesses.listBusinesses(EVERYTHING), before.businesses)
    assert.deepEqual((await contracts.listContracts({ ...EVERYTHING, search: 'service 1' })).total, 4)
  })

  it('answer requests that were introduced later', async () => {
    const { contracts, businesses } = await open()
    const ids = async (query: object) =>
      (await contracts.listContracts({ ...EVERYTHING, ...query })).contracts.map(({ id }) => id)
    const serviceDates = { serviceDateFrom: '2026-01-13', serviceDateTo: '2026-01-15' }
    assert.deepEqual(await ids(serviceDates), [5, 4, 3])
    const lastChanged = Math.max(...before.contracts.contracts.map(({ updatedAt }) => updatedAt))
    assert.deepEqual(await ids({ updatedSince: lastChanged }), [1])
    assert.deepEqual(await ids({ after: 10 }), [9, 8, 7, 6, 5, 4, 3, 2, 1])
    const { events, total } = await contracts.listContractHistory({ id: 3, limit: 0, offset: 0 })
    assert.equal(total, 2)
    const record = Object.assign({}, ...events.map(({ data }) => data), { version: 2 })
    assert.deepEqual(
      record,
      before.contracts.contracts.find(({ id }) => id === 3),
    )
    const edited = present(before.businesses.businesses.find(({ version }) => version === 2))
    const { business } = await businesses.getBusiness({ id: edited.id, asOf: edited.createdAt })
    assert.deepEqual(business, { ...edited, phone: '', updatedAt: edited.createdAt, version: 1 })
  })

  it('pass verification, and are unchanged after an export and an import', async () => {
    const [folder, other] = [temporaryFolder(), temporaryFolder()]
    for (const { remove } of [folder, other]) atEnd(remove)
    unpackInto(folder.path)
    const [from, to] = [folder.path, join(other.path, 'data')]
    const [file, again] = [join(other.path, 'mint.ndjson'), join(other.path, 'again.ndjson')]
    for (const [words, DATA_DIR] of [
      [['verify'], from],
      [['export', file], from],
      [['import', file], to],
      [['verify'], to],
      [['export', again], to],
    ] as const) {
      const { exitCode, output, errors } = await mint(words, { DATA_DIR })
      assert.equal(exitCode, 0, `${words}: ${output}${errors}`)
    }
    /** Without the header, which has a timestamp, and the last line, which has a checksum. */
    const exportedIn = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n').slice(1, -1)
    assert.deepEqual(exportedIn(again), exportedIn(file))
  })

  it('continue with the next number', async () => {
    const { contracts } = await open()
    assert.equal((await contracts.createContract(aContract())).contract?.id, 13)
  })
})

function unpackInto(folder: string): void {
  for (const name of ['contracts.db', 'businesses.db']) {
    writeFileSync(`${folder}/${name}`, gunzipSync(readFileSync(new URL(`${name}.gz`, FIXTURE))))
  }
}
