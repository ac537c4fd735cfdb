import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readDocument } from '../../console/api/document.ts'
import { recordFields } from '../../console/fields/fields.ts'
import { type ChangedTree, callerOf, changedTree, type Edit } from '../support/changed-tree.ts'
import { atEnd } from '../support/cleanup.ts'
import { startedMint } from '../support/mint-process.ts'
import { clientFromProtoFile } from '../support/plain-grpc.ts'
import { aNewContract } from '../support/rest.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const PROTO = 'proto/mint/contracts/v1/contracts.proto'

/** All that CONTRIBUTING.md asks of a developer for a field of a contract; `number` must be free in the proto. */
function contractField(name: string, number = 1000) {
  return {
    event: edit('services/contracts/contract/events.ts', 'readonly notes: string\n', `readonly ${name}: string\n`),
    before: edit('services/contracts/contract/events.ts', "notes: ''", `, ${name}: 'CAD'`),
    table: edit(
      'shared/fields/contract-fields.ts',
      '  createdAt: {',
      `  ${name}: { rule: text({ min: 1, max: 3 }).optional(), shown: z.string(), example: 'CAD' },\n`,
      'before',
    ),
    record: inMessage(PROTO, 'Contract', `string ${name} = ${number}`),
    changed: inMessage(PROTO, 'ContractFields', `optional string ${name} = ${number}`),
    create: inMessage(PROTO, 'CreateContractRequest', `optional string ${name} = ${number}`),
    change: inMessage(PROTO, 'EditContractRequest', `optional string ${name} = ${number}`),
  }
}

/** The same for a field of a business. */
function businessField(name: string, number = 1000) {
  const proto = 'proto/mint/businesses/v1/businesses.proto'
  return {
    event: edit('services/businesses/business/events.ts', 'readonly phone: string\n', `readonly ${name}: string\n`),
    before: edit('services/businesses/business/events.ts', "phone: '',", `${name}: '',`),
    table: edit(
      'shared/fields/business-fields.ts',
      '  createdAt: {',
      `  ${name}: { rule: shortText.optional(), shown: z.string(), example: '' },\n`,
      'before',
    ),
    record: inMessage(proto, 'Business', `string ${name} = ${number}`),
    changed: inMessage(proto, 'BusinessFields', `optional string ${name} = ${number}`),
    create: inMessage(proto, 'CreateBusinessRequest', `optional string ${name} = ${number}`),
    change: inMessage(proto, 'EditBusinessRequest', `optional string ${name} = ${number}`),
  }
}

function edit(file: string, beside: string, added: string, side: 'before' | 'after' = 'after'): Edit {
  return { file, text: beside, replacement: side === 'after' ? beside + added : added + beside }
}

/** A field with its number, at the end of a message. */
function inMessage(file: string, message: string, field: string): Edit {
  const [text = ''] = new RegExp(`^message ${message} \\{[^]*?^(?=\\})`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  return edit(file, text, `  // New.\n  ${field};\n`)
}

describe('A field that is added to a copy of the tree', () => {
  async function changed(edits: readonly Edit[]): Promise<ChangedTree> {
    const tree = atEnd.remove(await changedTree(edits))
    return tree
  }

  it('needs three files changed by hand for each record', () => {
    for (const fields of [contractField('currency'), businessField('website')])
      assert.equal(new Set(Object.values(fields).map(({ file }) => file)).size, 3)
  })

  it('appears everywhere, even in older records', async () => {
    const folder = atEnd.remove(temporaryFolder())
    const before = await startedMint({ dataFolder: folder.path })
    const { key } = before
    const old = await callerOf(before, key)('POST', '/contracts', aNewContract())
    await before.kill()

    const tree = await changed([contractField('currency'), businessField('website')].flatMap(Object.values))
    assert.equal(await tree.compile(), '')
    const command = [process.execPath, join(tree.path, 'cli/launch.js'), 'start'] as const
    const mint = await startedMint({ dataFolder: folder.path, command })
    const call = callerOf(mint, key)
    assert.equal((await call('GET', '/contracts/1')).body.currency, 'CAD')
    assert.equal((await call('GET', '/contracts')).body.contracts[0].currency, 'CAD')
    assert.equal((await call('GET', `/contracts/1?asOf=${old.body.createdAt}`)).body.currency, 'CAD')

    const created = await call('POST', '/contracts', { ...aNewContract(), currency: 'USD' })
    assert.deepEqual([created.status, created.body.currency], [201, 'USD'])
    const edited = await call('PATCH', '/contracts/2', { currency: 'EUR' })
    assert.deepEqual([edited.status, edited.body.currency], [200, 'EUR'])
    const { events } = (await call('GET', '/contracts/2/history')).body
    assert.deepEqual([events[1].before.currency, events[1].data.currency], ['USD', 'EUR'])
    const [header = '', newest = ''] = (await call('GET', '/contracts.csv')).text.split('\r\n')
    assert.equal(newest.split(',')[header.split(',').indexOf('currency')], 'EUR')
    const { schemas } = (await call('GET', '/openapi.json')).body.components
    for (const name of ['Contract', 'NewContract', 'ContractChanges'])
      assert.ok(schemas[name].properties.currency, name)
    const inConsole = recordFields(readDocument((await call('GET', '/openapi.json')).body), 'Contract', 'NewContract')
    const { label, kind, isGiven, maxLength } = inConsole.find(({ name }) => name === 'currency') ?? {}
    assert.deepEqual([label, kind, isGiven, maxLength], ['Currency', 'text', true, 3])
    assert.equal((await call('POST', '/contracts', { ...aNewContract(), currency: 'DOLLAR' })).status, 400)

    const file = join(tree.path, PROTO)
    const grpc = clientFromProtoFile(mint.contractsAddress, 'mint.contracts.v1.ContractsService', file, key)
    atEnd(grpc.close)
    assert.equal((await grpc.call('EditContract', { id: 2, currency: 'GBP' })).contract.currency, 'GBP')
    assert.equal((await call('GET', '/contracts/2')).body.currency, 'GBP')

    const business = (await call('POST', '/businesses', { legalName: 'Mint Ltd.', website: 'mint.example' })).body
    assert.equal(business.website, 'mint.example')
    const { publishedBusinesses } = await import(
      pathToFileURL(join(tree.path, 'services/businesses/published-events.ts')).href
    )
    const event = { type: 'BusinessCreated.v1', at: 0, version: 1, position: 1, data: business }
    const state = publishedBusinesses.definition.fold(undefined, event)
    assert.equal(JSON.parse(publishedBusinesses.toMessage(event, state).value).website, 'mint.example')
  }).timeout(120_000)

  it('is reported by the compiler wherever one of its lines is missing', async () => {
    const { event: _event, before: _before, ...withoutEvent } = contractField('notInEvent', 1001)
    const { record: _record, ...withoutRecord } = contractField('notInRecord', 1002)
    const { changed: _changed, ...withoutChanged } = contractField('notInChanged', 1003)
    const { table: _table, ...withoutTable } = businessField('notInTable', 1001)
    const { change: _change, ...withoutChange } = businessField('notInChange', 1002)
    const { create: _create, ...withoutCreate } = businessField('notInCreate', 1003)
    const incomplete = { withoutEvent, withoutRecord, withoutChanged, withoutTable, withoutChange, withoutCreate }
    const tree = await changed(Object.values(incomplete).flatMap((edits): Edit[] => Object.values(edits)))
    const errors = await tree.compile()
    for (const name of Object.keys(incomplete)) {
      const field = name.replace('without', 'notIn')
      assert.ok(errors.includes(field), `${field} in: ${errors}`)
    }
  }).timeout(60_000)
})
