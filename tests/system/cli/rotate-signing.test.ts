import assert from 'node:assert/strict'
import { createClients } from '../../support/clients.ts'
import { jsonLines, mint } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { startedMint } from '../../support/mint-process.ts'
import { restClient } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

type Environment = Readonly<Record<string, string>>
interface Rotated {
  readonly part: string
  readonly current: string
  readonly former: readonly string[]
  readonly revoked: readonly string[]
}

async function rotate(environment: Environment, ...options: readonly string[]): Promise<readonly Rotated[]> {
  const { exitCode, output, errors } = await mint(['keys', 'rotate-signing', '--json', ...options], environment)
  assert.equal(exitCode, 0, errors)
  return jsonLines(output) as Rotated[]
}

/** The ids of the keys that a gateway serves. */
async function served(url: string): Promise<readonly string[]> {
  const { keys } = (await (await fetch(`${url}/.well-known/mint-keys.json`)).json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid).toSorted()
}

describe('cli/mint keys rotate-signing', () => {
  it('gives both services of a folder new keys, and keeps the former ones for verification until they are revoked', async () => {
    const DATA_DIR = newFolder()
    const running = await startedMint({ dataFolder: DATA_DIR })
    const before = await served(running.url)
    assert.equal(before.length, 2)
    await running.kill()
    const [businesses, contracts] = await rotate({ DATA_DIR })
    assert.deepEqual([businesses?.part, contracts?.part], ['businesses', 'contracts'])
    assert.deepEqual([businesses?.former, contracts?.former].flat().toSorted(), before)
    const [again] = await rotate({ DATA_DIR }, '--part', 'businesses', '--revoke')
    assert.deepEqual([again?.former, again?.revoked], [[], [businesses?.current, ...(businesses?.former ?? [])]])
    const { output } = await mint(['keys', 'rotate-signing', '--part', 'contracts'], { DATA_DIR })
    const [, current = '', ...former] =
      /^contracts {2}signs with (\S+)\n {2}valid {4}(\S+)\n {2}valid {4}(\S+)\n$/.exec(output) ?? []
    assert.equal(former[0], contracts?.current)
    const later = await startedMint({ dataFolder: DATA_DIR })
    assert.deepEqual(await served(later.url), [again?.current, current, ...former].toSorted())
  })

  it('works while Mint runs on the folder: Clients stay up to date, and nothing is lost or set aside', async () => {
    const DATA_DIR = newFolder()
    const running = await startedMint({ dataFolder: DATA_DIR })
    const call = restClient(running)
    for (const [index, options] of [[], ['--revoke'], ['--part', 'businesses']].entries()) {
      assert.equal((await call('POST', '/businesses', { legalName: `Business ${index}` })).status, 201)
      const [rotated] = await rotate({ DATA_DIR }, ...options)
      assert.ok((await waitFor(() => served(running.url))).length >= 2)
      await createClients(call, `Later ${index}`)
      await waitFor(async () => (await served(running.url)).includes(rotated?.current ?? ''))
    }
    const isEmpty = async () => (await call('GET', '/operations/dead-letters')).body.total === 0
    await waitFor(isEmpty, { what: 'no dead letter' })
    assert.equal((await call('GET', '/clients')).body.total, 6)
  }).timeout(90_000)

  it('lists the valid parts in one line', async () => {
    const { exitCode, errors } = await mint(['keys', 'rotate-signing', '--part', 'gateway'], { DATA_DIR: newFolder() })
    assert.equal(exitCode, 2)
    assert.match(errors, /Allowed choices are businesses, contracts/)
  })

  describeOn(bothEngines(), 'on MongoDB', (MONGO_URL) => {
    it('works while the processes run, which republish everything signed with the new key if the former one is revoked', async () => {
      const separate = await newSeparateMint(MONGO_URL)
      const { call } = await separate.startAll()
      await createClients(call, 'One')
      const [plain] = await rotate(separate.settings, '--part', 'businesses')
      await createClients(call, 'Two')
      const [revoking] = await rotate(separate.settings, '--part', 'businesses', '--revoke')
      assert.deepEqual(revoking?.revoked, [plain?.current, ...(plain?.former ?? [])])
      await createClients(call, 'Three')
      const isEmpty = async () => (await call('GET', '/operations/dead-letters')).body.total === 0
      await waitFor(isEmpty, { what: 'no dead letter' })
    }).timeout(180_000)
  })
})
