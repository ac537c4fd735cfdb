import assert from 'node:assert/strict'
import { join } from 'node:path'
import { mint, succeeds } from '../support/command-line.ts'
import { startedMint } from '../support/mint-process.ts'
import { aNewContract, create, restClient } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'

describe('Proposals in the mint command', () => {
  it('are verified, survive export and import unchanged, and name the proposer in a contract’s history', async () => {
    const dataFolder = newFolder()
    const first = await startedMint({ dataFolder })
    const call = restClient(first)
    const scopes = ['contracts:propose']
    const { key: secret } = (await call('POST', '/api-keys', { name: 'Assistant', scopes })).body
    const agent = restClient({ url: first.url, key: secret })
    const propose = async (fields = {}) =>
      await create(agent, '/proposals', { action: 'create', fields: aNewContract(fields), reason: 'Not billed yet.' })
    const [accepted, declined] = [await propose(), await propose()]
    const { contractId } = (await call('POST', `/proposals/${accepted.id}/accept`)).body
    await call('POST', `/proposals/${declined.id}/decline`, { reason: 'Billed already.' })
    const fields = { notes: 'Seen.' }
    await create(agent, '/proposals', { action: 'edit', contractId, version: 1, fields, reason: 'A note.' })
    const { output } = await mint(['history', 'contract', String(contractId)], { DATA_DIR: dataFolder })
    assert.match(output, /^1 .* ContractCreated\.v1 .*\n {5}proposed by Assistant \([0-9a-f-]{36}\)\n/)
    const asJson = await mint(['history', 'contract', String(contractId), '--json'], { DATA_DIR: dataFolder })
    assert.match(asJson.output, /"proposedByName":"Assistant"/)
    const before = (await call('GET', '/proposals')).body
    assert.deepEqual(
      before.proposals.map(({ status }: { status: string }) => status),
      ['open', 'declined', 'accepted'],
    )

    const file = join(newFolder(), 'mint.jsonl')
    const imported = newFolder()
    await succeeds(['verify'], { DATA_DIR: dataFolder })
    await succeeds(['export', file], { DATA_DIR: dataFolder })
    await succeeds(['import', file], { DATA_DIR: imported })
    await succeeds(['verify'], { DATA_DIR: imported })
    const second = await startedMint({ dataFolder: imported })
    const callSecond = restClient({ url: second.url, key: first.key })
    assert.deepEqual((await callSecond('GET', '/proposals')).body, before)
    const [open] = before.proposals
    assert.equal((await callSecond('POST', `/proposals/${open.id}/accept`)).status, 200)
    assert.equal((await callSecond('POST', `/proposals/${accepted.id}/accept`)).status, 409)
  })
})
