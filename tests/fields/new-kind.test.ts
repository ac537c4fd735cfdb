import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readDocument } from '../../console/api/document.ts'
import { recordFields } from '../../console/fields/fields.ts'
import { type ChangedTree, callerOf, changedTree, type Edit } from '../support/changed-tree.ts'
import { atEnd } from '../support/cleanup.ts'
import { type MintProcess, startedMint } from '../support/mint-process.ts'
import { clientFromProtoFile } from '../support/plain-grpc.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROTO = 'proto/mint/contracts/v1/payments.proto'
const CONCEPT = 'services/contracts/payment'

/** All that CONTRIBUTING.md asks of a developer for payments. A text of '' makes a new file. */
const payments: Readonly<Record<string, readonly Edit[]>> = {
  proto: [made(PROTO, 'payments.proto')],
  fields: [made('shared/fields/payment-fields.ts', 'payment-fields.ts.txt')],
  concept: ['events', 'decide', 'evolve', 'kind'].map((name) => made(`${CONCEPT}/${name}.ts`, `${name}.ts.txt`)),
  registry: [
    {
      file: 'shared/kinds/registry.ts',
      text: '\n})\n',
      replacement:
        "\n  payment: { many: 'payments', part: 'contracts', service: PaymentsServiceService, about: 'What was received.', fields: paymentFields, ...paymentTraits },\n})\n",
    },
    importing('shared/kinds/registry.ts', "{ paymentFields, paymentTraits } from '../fields/payment-fields.ts'"),
    importing('shared/kinds/registry.ts', "{ PaymentsServiceService } from '../gen/mint/contracts/v1/payments.ts'"),
  ],
  console: [
    {
      file: 'console/records/kinds.ts',
      text: '= { contracts, businesses, clients',
      replacement: `= { contracts, businesses, clients, payments: kind('payment', 'payments', {
        notInList: ['id', 'createdAt'], linked: 'date', searched: 'Date',
      })`,
    },
  ],
}

function made(file: string, from: string): Edit {
  return { file, text: '', replacement: readFileSync(`tests/fields/new-kind/${from}`, 'utf8') }
}

function importing(file: string, what: string): Edit {
  return { file, text: 'import ', replacement: `import ${what}\nimport ` }
}

/** What a developer has done for another kind, named by `word`, who forgot one step. */
function withoutStep(step: string, word: string): Edit[] {
  const renamed = (text: string) =>
    text.replaceAll('payment', word).replaceAll('Payment', word.charAt(0).toUpperCase() + word.slice(1))
  const { [step]: _, ...others } = payments
  return Object.values(others).flatMap((edits) =>
    edits.map(({ file, text, replacement }) => ({ file: renamed(file), text, replacement: renamed(replacement) })),
  )
}

describe('A kind of record that is added to a copy of the tree', () => {
  async function changed(edits: readonly Edit[]): Promise<ChangedTree> {
    const tree = atEnd.remove(await changedTree(edits))
    return tree
  }

  it('compiles, and is served, documented, verified, exported and shown', async () => {
    const tree = await changed(Object.values(payments).flat())
    assert.equal(await tree.compile(), '')
    const folder = atEnd.remove(temporaryFolder())
    const command = [process.execPath, join(tree.path, 'cli/launch.js'), 'start'] as const
    const mint = await startedMint({ dataFolder: folder.path, command })
    const ids = await overRest(mint)
    await overGrpc(mint, tree, ids)
    await mint.kill()

    // The other transport reads what the first one wrote.
    const again = await startedMint({
      dataFolder: folder.path,
      command,
      environment: { GATEWAY_TRANSPORT: 'grpc', MINT_API_KEY: mint.key },
    })
    await overRest({ ...again, key: mint.key })
    await onTheCommandLine({ ...again, key: mint.key }, tree, folder.path)
  }).timeout(180_000)

  it('needs a folder and four files by hand, two of them by a line or an entry', () => {
    const places = Object.values(payments).flatMap((edits) => edits.map(({ file }) => file))
    const files = new Set(places.map((file) => (file.startsWith(CONCEPT) ? CONCEPT : file)))
    assert.deepEqual(
      [...files],
      [PROTO, 'shared/fields/payment-fields.ts', CONCEPT, 'shared/kinds/registry.ts', 'console/records/kinds.ts'],
    )
  })

  it('is reported by the compiler wherever one of its files is missing', async () => {
    // What can't be imported has any type, which would hide that other steps are missing.
    for (const missing of [
      [
        ['proto', 'refund', /refunds\.ts/],
        ['fields', 'visit', /visit-fields/],
      ],
      [
        ['concept', 'lease', /Property 'leases' is missing/],
        ['registry', 'draft', /'"?draft"?'/],
        ['console', 'grant', /Property 'grants' is missing/],
      ],
    ] as const) {
      const tree = await changed(missing.flatMap(([step, word]) => withoutStep(step, word)))
      const errors = await tree.compile()
      for (const [step, , what] of missing) assert.match(errors, what, `without ${step}`)
    }
  }).timeout(300_000)

  /** Creates, reads, edits and lists payments; returns their ids. */
  async function overRest(mint: MintProcess): Promise<readonly string[]> {
    const call = callerOf(mint, mint.key)
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
    const read = callerOf(mint, reader.body.key)
    assert.equal((await read('GET', '/payments')).status, 200)
    assert.equal((await read('POST', '/payments', {})).status, 403)

    const document = (await call('GET', '/openapi.json')).body
    for (const path of ['/payments', '/payments/{id}', '/payments/{id}/history', '/payments.csv'])
      assert.ok(document.paths[path], path)
    assert.ok(document.tags.some(({ name }: { name: string }) => name === 'payments'))
    const fields = recordFields(readDocument(document), 'Payment', 'NewPayment')
    assert.deepEqual(
      fields.filter(({ isGiven }) => isGiven).map(({ name }) => name),
      ['contractId', 'amount', 'date'],
    )
    return await idsIn('limit=100')
  }

  async function overGrpc({ contractsAddress, key }: MintProcess, tree: ChangedTree, [id]: readonly string[]) {
    const file = join(tree.path, PROTO)
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

  async function onTheCommandLine(mint: MintProcess, tree: ChangedTree, folder: string) {
    const run = async (dataFolder: string, ...words: readonly string[]) => {
      const env = { ...process.env, DATA_DIR: dataFolder, MINT_URL: mint.url, MINT_API_KEY: mint.key, MONGO_URL: '' }
      const launcher = join(tree.path, 'cli/launch.js')
      return (await promisify(execFile)(process.execPath, [launcher, ...words], { env })).stdout
    }
    const scratch = atEnd.remove(temporaryFolder())
    const csv = join(scratch.path, 'payments.csv')
    writeFileSync(csv, 'contractId,amount,date\n7,1.5,2026-04-01\n8,2.25,2026-04-02\n')
    assert.match(await run(folder, 'import-csv', 'payments', csv), /^Created 2 payments\./)
    assert.match(await run(folder, 'import-csv', 'payments', csv), /2 were there from an earlier run/)
    const [newest] = (await callerOf(mint, mint.key)('GET', '/payments?limit=1')).body.payments
    assert.match(await run(folder, 'history', 'payment', newest.id), /PaymentCreated\.v1/)
    assert.match(await run(folder, 'verify'), /all is well/)
    const exported = join(scratch.path, 'export.jsonl')
    await run(folder, 'export', exported)
    const other = join(scratch.path, 'other')
    await run(other, 'import', exported)
    assert.match(await run(other, 'verify'), /all is well/)
    assert.match(await run(other, 'history', 'payment', newest.id), /PaymentCreated\.v1/)
  }
})
