import assert from 'node:assert/strict'
import { contractsView } from '../../../services/contracts/contract/view.ts'
import { contractsViews } from '../../../services/contracts/service.ts'
import { ACCEPTED_REQUEST } from '../../../shared/event-sourcing/recorded-requests.ts'
import { describeOnDatabases } from '../../support/database-fixtures.ts'
import { query, wholeLog } from '../../support/jobs.ts'
import { aCall, aContract, aKeyedCall, aRetriedCall, assertRefused, present } from '../../support/requests.ts'
import { contractsOn } from '../../support/services.ts'

/** Changes nothing: the contract's notes are already `x`. */
const NOTHING_NEW = { id: 1, notes: 'x' }

describeOnDatabases('requests that change nothing', (open) => {
  async function withContract() {
    const opened = await open(contractsViews)
    const contracts = contractsOn(opened.database)
    const { contract } = await contracts.createContract(aContract({ notes: 'x' }))
    return { opened, contracts, contract: present(contract) }
  }

  it('repeat their first answer, whatever others have changed since, even after a reopen', async () => {
    const { opened, contracts, contract } = await withContract()
    const first = await contracts.editContract(NOTHING_NEW, aKeyedCall('k', 'edit'))
    assert.deepEqual(first, { contract, replayed: false })
    await contracts.editContract({ id: 1, notes: 'of somebody else' }, aCall())
    assert.deepEqual(await contracts.editContract(NOTHING_NEW, aKeyedCall('k', 'edit')), { contract, replayed: true })
    const again = contractsOn(await opened.reopen(contractsViews))
    assert.deepEqual(await again.editContract(NOTHING_NEW, aKeyedCall('k', 'edit')), { contract, replayed: true })
    assert.equal((await again.getContract({ id: 1 })).contract?.notes, 'of somebody else')
  })

  it('reserve their key against every other request', async () => {
    const { contracts } = await withContract()
    await contracts.createContract(aContract())
    await contracts.editContract(NOTHING_NEW, aKeyedCall('k', 'edit'))
    const others = [
      () => contracts.editContract({ id: 1, notes: 'y' }, aKeyedCall('k', 'another edit')),
      () => contracts.editContract({ id: 2, notes: 'y' }, aKeyedCall('k', 'edit of 2')),
      () => contracts.createContract(aContract(), aKeyedCall('k', 'create')),
    ]
    for (const other of others) await assertRefused(other(), 'idempotency_key_reused')
  })

  it('leave record, history and lists unchanged, and take one position in the log, which views skip', async () => {
    const { opened, contracts, contract } = await withContract()
    const { database } = opened
    const history = await contracts.listContractHistory({ id: 1, limit: 0, offset: 0 })
    const head = await database.events.head()
    await contracts.editContract(NOTHING_NEW, aKeyedCall('k', 'edit'))
    await contracts.editContract({ id: 1 }, aKeyedCall('l', 'empty edit'))
    assert.equal(await database.events.head(), head + 2)
    const news = (await wholeLog(database)).slice(-2)
    assert.deepEqual(
      news.map(({ stream, type, data }) => [stream.category, type, data]),
      Array.from({ length: 2 }, () => [
        ACCEPTED_REQUEST,
        'RequestAccepted.v1',
        { category: 'contract', id: '1', version: 1 },
      ]),
    )
    await contracts.createContract(aContract())
    const view = database.view(contractsView)
    for (const look of [async () => undefined, () => view.rebuild()]) {
      await look()
      assert.deepEqual((await contracts.getContract({ id: 1 })).contract, contract)
      assert.deepEqual(await contracts.listContractHistory({ id: 1, limit: 0, offset: 0 }), history)
      const { rows, total } = await view.list(query())
      assert.deepEqual([rows.map(({ id }) => id), total], [['2', '1'], 2])
    }
  })

  it('write nothing without a key', async () => {
    const { opened, contracts } = await withContract()
    const head = await opened.database.events.head()
    const call = aCall()
    for (const context of [undefined, call, call, aCall()]) await contracts.editContract(NOTHING_NEW, context)
    await contracts.editContract(NOTHING_NEW, { ...aKeyedCall('', 'edit'), commitId: undefined as never })
    assert.equal(await opened.database.events.head(), head)
  })

  it('get one answer and are written once if sent concurrently through two processes', async () => {
    const { opened, contracts, contract } = await withContract()
    const other = contractsOn(await opened.beside())
    const head = await opened.database.events.head()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? contracts : other).editContract(NOTHING_NEW, aKeyedCall('k', 'edit')),
      ),
    )
    for (const answer of answers) assert.deepEqual(answer.contract, contract)
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1)
    assert.equal(await opened.database.events.head(), head + 1)
  })

  it('are decided again if the record was edited since it was read, with and without a key', async () => {
    for (const [index, call] of [aCall(), aRetriedCall(), aKeyedCall('k', 'edit')].entries()) {
      const { opened } = await withContract()
      const other = contractsOn(await opened.beside())
      let isBehind = true
      const behind = contractsOn({
        ...opened.database,
        view(definition) {
          const view = opened.database.view(definition)
          const get: typeof view.get = async (id) => {
            const row = await view.get(id)
            if (isBehind) await other.editContract({ id: 1, notes: `edit ${index}` }, aCall())
            isBehind = false
            return row
          }
          return { ...view, get }
        },
      })
      const { contract } = await behind.editContract(NOTHING_NEW, call)
      assert.deepEqual([contract?.notes, contract?.version], ['x', 3])
    }
  })

  it('never undo a concurrent edit', async () => {
    const { opened, contracts } = await withContract()
    const other = contractsOn(await opened.beside())
    for (let round = 1; round <= 5; round++) {
      const send = () => contracts.editContract(NOTHING_NEW, aKeyedCall(`k${round}`, 'edit'))
      const [first] = await Promise.all([send(), other.editContract({ id: 1, notes: `edit ${round}` }, aCall())])
      const now = await contracts.getContract({ id: 1 })
      assert.deepEqual(await send(), { ...first, replayed: true })
      assert.deepEqual(await contracts.getContract({ id: 1 }), now)
      await contracts.editContract(NOTHING_NEW, aCall())
    }
  })
})
