import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { readDocument } from '../../console/api/document.ts'
import { recordFields } from '../../console/fields/fields.ts'
import { type ChangedTree, callerOf, changedTree } from '../support/changed-tree.ts'
import { atEnd } from '../support/cleanup.ts'
import type { FeedEvent } from '../support/feed.ts'
import { type MintProcess, startedMint } from '../support/mint-process.ts'
import { clientFromProtoFile } from '../support/plain-grpc.ts'
import { aNewContract } from '../support/rest.ts'
import { newFolder } from '../support/temporary-folder.ts'
import { businessField, contractField, PAYMENTS_CONCEPT, PAYMENTS_PROTO, payments } from './additions.ts'

describe('A kind of record and fields that are added to a copy of the tree', () => {
  it('compile; the kind is served, documented, verified, exported and shown, and so are the fields, even of older records', async () => {
    const dataFolder = newFolder()
    const environment = { MINT_API_KEY: 'mint_a-key-with-all-scopes' }
    const before = await startedMint({ dataFolder, environment })
    const old = (await callerOf(before)('POST', '/contracts', aNewContract())).body
    await before.kill()

    const fields = [contractField('currency'), businessField('website')].flatMap(Object.values)
    const tree = atEnd.remove(await changedTree([...fields, ...Object.values(payments).flat()]))
    assert.equal(await tree.compile(), '')
    const command = [process.execPath, join(tree.path, 'cli/launch.js'), 'start'] as const
    const mint = await startedMint({ dataFolder, command, environment })
    await assertContractFields(mint, tree, old.createdAt)
    await assertBusinessFields(mint, tree)
    const ids = await paymentsOverRest(mint)
    await paymentsOverGrpc(mint, tree, ids)
    await assertTopicOfPayments(tree)
    await mint.kill()

    // The other transport reads what the first one wrote.
    const overGrpc = { ...environment, GATEWAY_TRANSPORT: 'grpc' }
    const again = await startedMint({ dataFolder, command, environment: overGrpc })
    await paymentsOverRest(again)
    await paymentsOnTheCommandLine(again, tree, dataFolder)
  }).timeout(180_000)

  it('take three manual file edits for a field, and for a kind a folder and four files, two of them with just a line or an entry', () => {
    for (const fields of [contractField('currency'), businessField('website')])
      assert.equal(new Set(Object.values(fields).map(({ file }) => file)).size, 3)
    const places = Object.values(payments).flatMap((edits) => edits.map(({ file }) => file))
    const files = new Set(places.map((file) => (file.startsWith(PAYMENTS_CONCEPT) ? PAYMENTS_CONCEPT : file)))
    assert.deepEqual(
      [...files],
      [
        PAYMENTS_PROTO,
        'shared/fields/payment-fields.ts',
        PAYMENTS_CONCEPT,
        'shared/kinds/registry.ts',
        'console/records/kinds.ts',
      ],
    )
  })

  async function assertContractFields(mint: MintProcess, tree: ChangedTree, createdAt: string): Promise<void> {
    const call = callerOf(mint)
    assert.equal((await call('GET', '/contracts/1')).body.currency, 'CAD')
    assert.equal((await call('GET', '/contracts')).body.contracts[0].currency, 'CAD')
    assert.equal((await call('GET', `/contracts/1?asOf=${createdAt}`)).body.currency, 'CAD')

    const created = await call('POST', '/contracts', { ...aNewContract(), currency: 'USD' })
    assert.deepEqual([created.status, created.body.currency], [201, 'USD'])
    const edited = await call('PATCH', '/contracts/2', { currency: 'EUR' })
    assert.deepEqual([edited.status, edited.body.currency], [200, 'EUR'])
    const { events } = (await call('GET', '/contracts/2/history')).body
    assert.deepEqual([events[1].before.currency, events[1].data.currency], ['USD', 'EUR'])
    const [header = '', newest = ''] = (await call('GET', '/contracts.csv')).text.split('\r\n')
    assert.equal(newest.split(',')[header.split(',').indexOf('currency')], 'EUR')
    const document = (await call('GET', '/openapi.json')).body
    for (const name of ['Contract', 'ContractCreation', 'ContractChanges'])
      assert.ok(document.components.schemas[name].properties.currency, name)
    const inConsole = recordFields(readDocument(document), 'Contract', 'ContractCreation')
    const { label, kind, isGiven, maxLength } = inConsole.find(({ name }) => name === 'currency') ?? {}
    assert.deepEqual([label, kind, isGiven, maxLength], ['Currency', 'text', true, 3])
    assert.equal((await call('POST', '/contracts', { ...aNewContract(), currency: 'DOLLAR' })).status, 400)

    const file = join(tree.path, 'proto/mint/contracts/v1/contracts.proto')
    const grpc = clientFromProtoFile(mint.contractsAddress, 'mint.contracts.v1.ContractsService', file, mint.key)
    atEnd(grpc.close)
    assert.equal((await grpc.call('EditContract', { id: 2, currency: 'GBP' })).contract.currency, 'GBP')
    assert.equal((await call('GET', '/contracts/2')).body.currency, 'GBP')
  }

  async function assertBusinessFields(mint: MintProcess, tree: ChangedTree): Promise<void> {
    const given = { legalName: 'Mint Ltd.', website: 'mint.example' }
    const business = (await callerOf(mint)('POST', '/businesses', given)).body
    assert.equal(business.website, 'mint.example')
    const file = pathToFileURL(join(tree.path, 'services/businesses/published.ts'))
    const { published } = await import(file.href)
    const [{ view, record }] = published.records
    const event = { type: 'BusinessCreated.v1', at: 0, version: 1, position: 1, data: business }
    const state = view.fold(undefined, event)
    assert.equal(record(state).website, 'mint.example')
  }

  /** The topic's name is derived from the kind's; its events are those of payments. */
  async function assertTopicOfPayments(tree: ChangedTree): Promise<void> {
    const load = async (path: string) => await import(pathToFileURL(join(tree.path, path)).href)
    const { published } = await load('services/contracts/published.ts')
    const { topicsOf } = await load('shared/events/topics.ts')
    assert.deepEqual(
      [...topicsOf(published)],
      [
        ['mint.contracts.v1', ['contract', 'closing', 'firm']],
        ['mint.payments.v1', ['payment']],
      ],
    )
  }

  /** Creates, reads, edits and lists payments; returns their ids. */
  async function paymentsOverRest(mint: MintProcess): Promise<readonly string[]> {
    const call = callerOf(mint)
    const created = await call('POST', '/payments', { contractId: 7, amount: 162.5, date: '2026-02-15' })
    assert.equal(created.status, 201, created.text)
    const { id } = created.body
    assert.deepEqual(created.body, { ...created.body, contractId: 7, amount: 162.5, date: '2026-02-15' })
    assert.equal((await call('POST', '/payments', { contractId: 7, amount: 'x', date: '2026-02-15' })).status, 400)
    assert.equal((await call('GET', `/payments/${randomUUID()}`)).status, 404)
    const edited = await call('PATCH', `/payments/${id}`, { amount: 170.25 })
    assert.deepEqual([edited.status, edited.body.amount], [200, 170.25])
    assert.deepEqual((await call('GET', `/payments/${id}`)).body, edited.body)
    const before = await call('GET', `/payments/${id}?asOf=${created.body.createdAt}`)
    // Both may have happened in the same millisecond.
    assert.ok([162.5, 170.25].includes(before.body.amount))
    const { events, total } = (await call('GET', `/payments/${id}/history`)).body
    assert.deepEqual(
      [total, events.map(({ type }: { type: string }) => type), events[1].before.amount, events[1].data.amount],
      [2, ['PaymentCreated.v1', 'PaymentEdited.v1'], 162.5, 170.25],
    )
    const ofPayments = (after = '') => `/events?types=mint.payment.created.v1,mint.payment.edited.v1${after}`
    let page = (await call('GET', ofPayments())).body
    const feed = page.events
    // A page has what was found within a second.
    while (page.more) {
      page = (await call('GET', ofPayments(`&after=${page.next}`))).body
      feed.push(...page.events)
    }
    assert.deepEqual(
      feed.slice(-2).map(({ type, subject, data: { version, ...data } }: FeedEvent) => [type, subject, version, data]),
      [
        ['mint.payment.created.v1', id, 1, created.body],
        ['mint.payment.edited.v1', id, 2, edited.body],
      ],
    )
    const idsIn = async (query: string) =>
      (await call('GET', `/payments?${query}`)).body.payments.map((payment: { id: string }) => payment.id)
    assert.equal((await idsIn('contractId=7'))[0], id)
    assert.deepEqual(await idsIn('contractId=8'), [])
    assert.equal((await idsIn('search=2026-02'))[0], id)
    assert.deepEqual(await idsIn('search=1999'), [])
    const file = await call('GET', '/payments.csv')
    const [header, first] = file.text.split('\r\n')
    assert.equal(header, 'id,contractId,amount,date,createdAt,updatedAt')
    assert.match(first ?? '', new RegExp(`^${id},7,170\\.25,2026-02-15,`))
    const reader = await call('POST', '/api-keys', { name: 'Reader', scopes: ['payments:read'] })
    const read = callerOf({ url: mint.url, key: reader.body.key })
    assert.equal((await read('GET', '/payments')).status, 200)
    assert.equal((await read('POST', '/payments', {})).status, 403)

    const document = (await call('GET', '/openapi.json')).body
    for (const path of ['/payments', '/payments/{id}', '/payments/{id}/history', '/payments.csv'])
      assert.ok(document.paths[path], path)
    assert.ok(document.tags.some(({ name }: { name: string }) => name === 'payments'))
    const fields = recordFields(readDocument(document), 'Payment', 'PaymentCreation')
    assert.deepEqual(
      fields.filter(({ isGiven }) => isGiven).map(({ name }) => name),
      ['contractId', 'amount', 'date'],
    )
    return await idsIn('limit=100')
  }

  async function paymentsOverGrpc({ contractsAddress, key }: MintProcess, tree: ChangedTree, [id]: readonly string[]) {
    const file = join(tree.path, PAYMENTS_PROTO)
    const { call, close } = clientFromProtoFile(contractsAddress, 'mint.contracts.v1.PaymentsService', file, key)
    atEnd(close)
    assert.equal((await call('EditPayment', { id, amount: '180' })).payment.amount, '180')
    assert.equal((await call('ListPayments', { contractId: 7 })).payments[0].id, id)
    assert.deepEqual((await call('ListPayments', { contractId: 8 })).payments, [])
    assert.equal((await call('ListPaymentHistory', { id })).events[2].data.amount, '180')
    const made = await call('CreatePayment', { contractId: 9, amount: '-0.50', date: '2026-03-01' })
    assert.equal(made.payment.amount, '-0.5')
    await assert.rejects(call('CreatePayment', { contractId: 9, amount: 'x', date: '2026-03-01' }), { code: 3 })
  }

  async function paymentsOnTheCommandLine(mint: MintProcess, tree: ChangedTree, folder: string) {
    const run = async (dataFolder: string, ...words: readonly string[]) => {
      const env = { ...process.env, DATA_DIR: dataFolder, MINT_URL: mint.url, MINT_API_KEY: mint.key, MONGO_URL: '' }
      const launcher = join(tree.path, 'cli/launch.js')
      return (await promisify(execFile)(process.execPath, [launcher, ...words], { env })).stdout
    }
    const scratch = newFolder()
    const csv = join(scratch, 'payments.csv')
    writeFileSync(csv, 'contractId,amount,date\n7,1.5,2026-04-01\n8,2.25,2026-04-02\n')
    assert.match(await run(folder, 'import-csv', 'payments', csv), /^Created 2 payments\./)
    assert.match(await run(folder, 'import-csv', 'payments', csv), /2 were there from an earlier run/)
    const [newest] = (await callerOf(mint)('GET', '/payments?limit=1')).body.payments
    assert.match(await run(folder, 'history', 'payment', newest.id), /PaymentCreated\.v1/)
    assert.match(await run(folder, 'verify'), /all is well/)
    const exported = join(scratch, 'export.jsonl')
    await run(folder, 'export', exported)
    const other = join(scratch, 'other')
    await run(other, 'import', exported)
    assert.match(await run(other, 'verify'), /all is well/)
    assert.match(await run(other, 'history', 'payment', newest.id), /PaymentCreated\.v1/)
  }
})
