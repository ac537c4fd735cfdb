import assert from 'node:assert/strict'
import { join } from 'node:path'
import { businessesViews, createBusinessesApp } from '../../../services/businesses/service.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import { contractsViews } from '../../../services/contracts/service.ts'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { DeadLetter } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { createSigningKeys } from '../../../shared/events/signing-keys.ts'
import { BUSINESSES_TOPIC, topicIn } from '../../../shared/runtime/settings/topic-names.ts'
import { newKafkaTopic } from '../../adapters/ports/topic-fixtures.ts'
import { atEnd } from '../../support/cleanup.ts'
import { itemsOf, mint } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { aBusiness, present } from '../../support/requests.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { publishedBy } from '../../support/services.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const AT = Date.UTC(2026, 0, 31, 9, 30)

describe('mint dead-letters', () => {
  /** A data folder with letters, some of which have the message of a business that has not become a Client. */
  async function folderWith(letters: (understood: TopicMessage) => readonly DeadLetter[]) {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const businessesData = await openSqliteDatabase({ file: join(folder, 'businesses.db'), views: businessesViews })
    const services = { database: businessesData, clock: Date.now, logger: quietLogger() }
    await createBusinessesApp(services).businesses.createBusiness(aBusiness({ legalName: 'Understood' }))
    const understood = present((await publishedBy({ businessesData })).at(-1))
    const sign = await createSigningKeys(businessesData).signer()
    await businessesData.close()
    const { deadLetters, close } = await openSqliteDatabase({ file: join(folder, 'contracts.db'), views: [] })
    for (const letter of letters(understood)) await deadLetters.add({ ...letter, message: await sign(letter.message) })
    await close()
    return { environment: { DATA_DIR: folder }, understood }
  }

  it('lists messages with the reasons they were set aside, and replays those that are understood by now, whatever is beside them', async () => {
    const { environment, understood } = await folderWith((understood) => [
      { ...setAside({ ...NONSENSE, key: 'cut' }, 'truncated'), isCut: true },
      setAside(understood, 'not understood then'),
      { ...setAside({ ...NONSENSE, key: 'elsewhere' }, 'no JSON'), topic: 'another' },
      setAside(NONSENSE, 'no JSON'),
    ])
    const listed = await lettersIn(environment)
    const shown = { at: '2026-01-31T09:30:00.000Z', topic: BUSINESSES_TOPIC }
    assert.deepEqual(byKey(listed.map(({ key, reason, at, topic }) => ({ key, reason, at, topic }))), [
      { key: understood.key, reason: 'not understood then', ...shown },
      { key: 'cut', reason: 'truncated', ...shown },
      { key: 'elsewhere', reason: 'no JSON', ...shown, topic: 'another' },
      { key: 'nonsense', reason: 'no JSON', ...shown },
    ])
    const replayed = await itemsOf<Replayed>(['dead-letters', 'replay'], environment)
    const outcomes = new Map(replayed.map(({ id, outcome }) => [id, outcome]))
    assert.deepEqual(
      byKey(listed).map(({ id }) => outcomes.get(id)),
      ['handled', 'too large', 'set aside again', 'set aside again'],
    )
    const left = await lettersIn(environment)
    const places = (letters: readonly ListedLetter[]) => byKey(letters).map(({ id, topic }) => [id, topic])
    assert.deepEqual(places(left), places(listed).slice(1))
    const { clientId } = JSON.parse(understood.value)
    assert.equal(await nameOfClient(environment.DATA_DIR, clientId), 'Understood')
  })

  it('replays a single letter by its id, and reports an unknown id', async () => {
    const { environment } = await folderWith((understood) => [
      setAside(understood, 'first'),
      setAside(NONSENSE, 'second'),
    ])
    const [first] = await lettersIn(environment)
    assert.equal(
      (await mint(['dead-letters', 'replay', String(first?.id)], environment)).output,
      `${first?.id}  handled\n`,
    )
    const again = await mint(['dead-letters', 'replay', String(first?.id)], environment)
    assert.deepEqual([again.exitCode, again.errors], [1, `No message ${first?.id} is set aside.\n`])
    const { output } = await mint(['dead-letters', 'list'], environment)
    assert.match(output, /^[0-9a-f]{12} {2}\S+ {2}mint\.businesses\.v1 .*\n {2}second\n {2}"no JSON at all"\n$/)
  })

  it('discards a single letter by its id, or all', async () => {
    const { environment } = await folderWith((understood) => [
      setAside(understood, 'first'),
      { ...setAside({ ...NONSENSE, key: 'cut' }, 'second'), isCut: true },
      { ...setAside(NONSENSE, 'third'), topic: 'another' },
    ])
    const [first, ...others] = (await lettersIn(environment)).map(({ id }) => id)
    const discard = (id: string) => mint(['dead-letters', 'discard', id], environment)
    assert.equal((await discard(`${first}`)).output, `${first}  discarded\n`)
    assert.deepEqual(
      (await lettersIn(environment)).map(({ id }) => id),
      others,
    )
    const again = await discard(`${first}`)
    assert.deepEqual([again.exitCode, again.errors], [1, `No message ${first} is set aside.\n`])
    assert.equal((await discard('all')).output, others.map((id) => `${id}  discarded\n`).join(''))
    assert.equal((await discard('all')).output, 'No messages are set aside.\n')
  })

  describeOn(bothEngines(), 'of separate processes', (mongoUrl) => {
    it('are in MongoDB by the time the message counts as handled, are replayed over REST, and by the command without Kafka', async () => {
      const separate = await newSeparateMint(mongoUrl)
      const { KAFKA_BROKERS, ...withoutKafka } = separate.settings
      const name = topicIn(separate.namespace, BUSINESSES_TOPIC)
      const topic = atEnd.close(newKafkaTopic(KAFKA_BROKERS, name))
      const listed = () => lettersIn(withoutKafka)
      const { call, contracts } = await separate.startAll()
      await topic.publisher.publish([NONSENSE])
      await waitFor(async () => (await listed()).length === 1, { timeout: 60_000, every: 100, what: 'the letter' })
      const { deadLetters, total } = (await call('GET', '/operations/dead-letters')).body
      const { id, at, reason, ...rest } = deadLetters[0]
      const type = NONSENSE.headers.ce_type
      assert.deepEqual([rest, total], [{ topic: name, type, key: 'nonsense', isCut: false }, 1])
      const { body } = await call('POST', '/operations/dead-letters/replay', { ids: [id] })
      assert.deepEqual(body, { replayed: [{ id, outcome: 'set_aside_again' }], remaining: 1 })
      const [again] = (await call('GET', '/operations/dead-letters')).body.deadLetters
      assert.deepEqual([again.id, again.reason, again.at > at], [id, reason, true])
      const isHandled = async () => (await call('GET', '/operations/status')).body.unhandledMessages === 0
      await waitFor(isHandled, { every: 100, what: 'the message to count as handled' })
      await contracts.kill()

      const [letter] = await listed()
      assert.deepEqual([letter?.key, letter?.topic], ['nonsense', name])
      const replayed = await mint(['dead-letters', 'replay'], withoutKafka)
      assert.equal(replayed.output, `${letter?.id}  set aside again\n`)
      assert.deepEqual(
        (await listed()).map(({ id, topic }) => [id, topic]),
        [[letter?.id, name]],
      )
    }).timeout(150_000)
  })

  it('are included in an export', async () => {
    const { environment } = await folderWith(() => [setAside(NONSENSE, 'kept')])
    const file = join(environment.DATA_DIR, 'mint.ndjson')
    const target = { DATA_DIR: join(environment.DATA_DIR, 'target') }
    assert.equal((await mint(['export', file], environment)).exitCode, 0)
    assert.equal((await mint(['import', file], target)).exitCode, 0)
    const list = ['dead-letters', 'list', '--json']
    assert.equal((await mint(list, target)).output, (await mint(list, environment)).output)
  })
})

interface ListedLetter {
  readonly id: string
  readonly key: string
  readonly reason: string
  readonly at: string
  readonly topic: string
}

interface Replayed {
  readonly id: string
  readonly outcome: string
}

const lettersIn = (environment: Readonly<Record<string, string>>) =>
  itemsOf<ListedLetter>(['dead-letters', 'list'], environment)

const byKey = <Keyed extends { readonly key: string }>(letters: readonly Keyed[]): Keyed[] =>
  letters.toSorted((one, other) => (one.key < other.key ? -1 : 1))

async function nameOfClient(folder: string, clientId: string): Promise<string | undefined> {
  const database = await openSqliteDatabase({ file: join(folder, 'contracts.db'), views: contractsViews })
  const row = await database.view(clientsView).get(clientId)
  await database.close()
  return row?.state.displayName
}

const setAside = (message: TopicMessage, reason: string): DeadLetter => ({
  topic: BUSINESSES_TOPIC,
  message,
  reason,
  at: AT,
})

const NONSENSE: TopicMessage = {
  key: 'nonsense',
  headers: {
    ce_specversion: '1.0',
    ce_id: 'other/1',
    ce_source: 'mint/businesses',
    ce_type: 'mint.business.created.v1',
    ce_time: '2026-01-31T09:30:00.000Z',
  },
  value: 'no JSON at all',
}
