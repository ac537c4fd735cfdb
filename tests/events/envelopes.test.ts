import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { published as ofBusinesses } from '../../services/businesses/published.ts'
import { published as ofContracts } from '../../services/contracts/published.ts'
import { BEGINNING } from '../../shared/event-sourcing/event.ts'
import type { Database } from '../../shared/event-sourcing/ports/database.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import { attributesOf, type Envelope, structured } from '../../shared/events/envelope.ts'
import { createEnveloper } from '../../shared/events/enveloper.ts'
import type { Published } from '../../shared/events/published.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { KINDS } from '../../shared/kinds/registry.ts'
import { countingReads } from '../support/counting-reads.ts'
import { aBusiness, aCall, aContract, present } from '../support/requests.ts'
import { openServices } from '../support/services.ts'

const names: Readonly<Record<string, string>> = { website: 'Website' }
const nameOf = async (id: string): Promise<string | null> => names[id] ?? null

async function envelopesOf(database: Database, published: Published): Promise<readonly Envelope[]> {
  const envelopes = await createEnveloper({ database, published, nameOf })(
    await database.events.readAll(BEGINNING, 1_000),
  )
  return envelopes.filter((envelope) => envelope !== undefined)
}

const dataOf = (envelope: Envelope | undefined) => JSON.parse(envelope?.data ?? '')

describe('Envelopes', () => {
  let services: Awaited<ReturnType<typeof openServices>>

  beforeEach(async () => {
    let now = Date.UTC(2026, 0, 31)
    services = await openServices({ clock: () => ++now })
  })

  it('have the record as of each change, whatever changed since, with the author and the changed fields', async () => {
    const { contracts, contractsData } = services
    const context = (reason?: string) => ({
      ...aCall(),
      actor: 'website',
      ...(reason !== undefined && { overrideReason: reason }),
    })
    const fields = { ...aContract(), serviceFee: '100.50', taxPercent: '10', serviceDate: '2026-01-15' }
    const { id } = present((await contracts.createContract(fields, context())).contract)
    await services.closing.setClosing({ closedThrough: '2026-01-31', reason: 'Filed.' }, context())
    await contracts.editContract({ id, serviceFee: '200' }, context('Too late.'))
    await contracts.editContract({ id, notes: 'One more' }, { ...context('Again.'), actor: 'somebody' })

    const [created, , edited, last] = await envelopesOf(contractsData, ofContracts)
    assert.deepEqual(created && attributesOf(created), {
      specversion: '1.0',
      id: 'mint/contracts/1',
      source: 'mint/contracts',
      type: 'mint.contract.created.v1',
      subject: '1',
      time: '2026-01-31T00:00:00.001Z',
      datacontenttype: 'application/json',
      recordversion: 1,
      actor: 'website',
      actorname: 'Website',
      changed: Object.keys(KINDS.contract.fields).join(),
    })
    const { type, recordversion, changed, overridereason } = present(edited)
    assert.deepEqual([type, recordversion, overridereason], ['mint.contract.edited.v1', 2, 'Too late.'])
    assert.equal(changed, 'serviceFee,totalFeeWithTax,updatedAt')
    assert.deepEqual([dataOf(created).serviceFee, dataOf(created).version], [100.5, 1])
    assert.deepEqual([dataOf(edited).totalFeeWithTax, dataOf(edited).notes], [220, dataOf(created).notes])
    assert.deepEqual([dataOf(last).serviceFee, dataOf(last).notes, dataOf(last).version], [200, 'One more', 3])
    assert.deepEqual([last?.actor, last?.actorname], ['somebody', undefined])
    assert.equal('actorname' in attributesOf(present(last)), false)
    assert.deepEqual(JSON.parse(structured(present(last))), { ...attributesOf(present(last)), data: dataOf(last) })
  })

  it('are the same whichever events they are made together with', async () => {
    const { contracts, contractsData } = services
    for (const serviceName of ['One', 'Other']) await contracts.createContract({ ...aContract(), serviceName }, aCall())
    for (const [id, serviceFee] of [
      [1, '5'],
      [2, '6'],
      [1, '7'],
      [1, '8'],
    ] as const) {
      await contracts.editContract({ id, serviceFee }, aCall())
    }
    const all = await envelopesOf(contractsData, ofContracts)
    const events = await contractsData.events.readAll(BEGINNING, 1_000)
    const make = createEnveloper({ database: contractsData, published: ofContracts, nameOf })
    const alone = await Promise.all(events.map(async (event) => (await make([event]))[0]))
    const everySecond = await make(events.filter((_, index) => index % 2 === 0))
    assert.equal(all.length, 6)
    assert.deepEqual(alone, all)
    assert.deepEqual(
      everySecond,
      all.filter((_, index) => index % 2 === 0),
    )
  })

  it('take reads of the past of a few records at a time, however many they are of', async () => {
    const { contracts, contractsData } = services
    for (let id = 1; id <= 70; id++) {
      await contracts.createContract(aContract(), aCall())
      for (const notes of ['one', 'other']) await contracts.editContract({ id, notes }, aCall())
    }
    const { events, mostAtOnce } = countingReads(contractsData.events)
    const make = createEnveloper({ database: { ...contractsData, events }, published: ofContracts, nameOf })
    const edits = (await events.readAll(BEGINNING, 1_000)).filter(({ version }) => version === 2)
    assert.deepEqual(new Set((await make(edits)).map((envelope) => dataOf(envelope).notes)), new Set(['one']))
    assert.equal(mostAtOnce(), 64)
  })

  it('show the closing and the firm as REST does', async () => {
    await services.closing.setClosing(
      { closedThrough: '2026-01-31', reason: 'Filed.' },
      { ...aCall(), actor: 'website' },
    )
    await services.firm.editFirm({ name: 'Harbour' }, aCall())
    const [closing, firm] = await envelopesOf(services.contractsData, ofContracts)
    assert.deepEqual(
      [closing?.type, closing?.subject, closing?.changed],
      ['mint.closing.changed.v1', 'contracts', 'closedThrough,reason,at,by,byName'],
    )
    assert.deepEqual(dataOf(closing), {
      closedThrough: '2026-01-31',
      reason: 'Filed.',
      at: dataOf(closing).at,
      by: 'website',
      byName: 'Website',
      version: 1,
    })
    assert.deepEqual([firm?.type, firm?.subject, firm?.changed], ['mint.firm.edited.v1', 'firm', 'name,updatedAt'])
    assert.deepEqual([dataOf(firm).name, dataOf(firm).timeZone, dataOf(firm).version], ['Harbour', 'UTC', 1])
  })

  it('are made only for records that callers may read', async () => {
    const { id } = present((await services.businesses.createBusiness(aBusiness())).business)
    await services.businesses.editBusiness({ id, taxId: '' })
    const envelopes = await envelopesOf(services.businessesData, ofBusinesses)
    assert.deepEqual(
      envelopes.map(({ type }) => type),
      ['mint.business.created.v1', 'mint.business.edited.v1'].slice(0, envelopes.length),
    )
    await services.handleBusinessEvents([])
    assert.deepEqual(await envelopesOf(services.contractsData, ofContracts), [])
  })

  it('are not made while the author’s name can’t be read, so that they never differ', async () => {
    await services.businesses.createBusiness(aBusiness())
    const { events } = services.businessesData
    const [event] = await events.readAll(BEGINNING, 1)
    let isAway = true
    const envelopesOf = createEnveloper({
      database: services.businessesData,
      published: ofBusinesses,
      nameOf: async () => {
        if (isAway) throw new StoreUnavailable('away')
        return 'Website'
      },
    })
    await assert.rejects(envelopesOf([present(event)]), StoreUnavailable)
    isAway = false
    const [envelope] = await envelopesOf([present(event)])
    assert.equal(envelope?.actorname, 'Website')
  })

  it('are documented: every type with its meaning and scope, every attribute in order', () => {
    const [, section = ''] = readFileSync('docs/events.md', 'utf8').split('\n## The event\n')
    const rows = [...section.matchAll(/^\| `(mint\.[^`]+)` \| (.*?\.) .*?\| `(.*)` \|$/gm)]
    assert.deepEqual(
      rows.map(([, type, about, scope]) => [type, about, scope]).sort(),
      Object.entries(EVENT_TYPES)
        .map(([type, { about, scope }]) => [type, about, scope])
        .sort(),
    )
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(section)?.[1] ?? '')
    const { specversion: _, datacontenttype: _type, time, data, ...attributes } = example
    const envelope = { ...attributes, time: Date.parse(time), data: JSON.stringify(data) }
    assert.equal(structured(envelope), JSON.stringify(example))
  })

  it('have types for every kind of record', () => {
    const published = [ofContracts, ofBusinesses].flatMap(({ part, records }) =>
      records.flatMap(({ types }) => types.map((type) => `${part} ${type}`)),
    )
    const known = Object.entries(EVENT_TYPES).map(([type, { part }]) => `${part} ${type}`)
    assert.deepEqual([...new Set(published)].sort(), known.sort())
    for (const one of Object.keys(KINDS)) assert.ok(Object.hasOwn(EVENT_TYPES, `mint.${one}.created.v1`), one)
  })
})
