import assert from 'node:assert/strict'
import { join } from 'node:path'
import { businessesViews, createBusinessesApp } from '../../../services/businesses/service.ts'
import { replayLetter } from '../../../services/contracts/client/dead-letters.ts'
import { clientsView } from '../../../services/contracts/client/view.ts'
import { contractsViews } from '../../../services/contracts/service.ts'
import { openSqliteDatabase } from '../../../shared/adapters/sqlite/database.main.ts'
import type { Database } from '../../../shared/event-sourcing/ports/database.ts'
import type { DeadLetter } from '../../../shared/event-sourcing/ports/dead-letters.ts'
import type { TopicMessage } from '../../../shared/event-sourcing/ports/topic.ts'
import { createSigningKeys } from '../../../shared/events/signing-keys.ts'
import { toMessage } from '../../../shared/events/topics.ts'
import { formatTimestamp } from '../../../shared/fields/timestamp.ts'
import { BUSINESSES_TOPIC, topicIn } from '../../../shared/runtime/settings/topic-names.ts'
import { newKafkaTopic } from '../../adapters/ports/topic-fixtures.ts'
import { atEnd } from '../../support/cleanup.ts'
import { jsonLines, mint } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { quietLogger } from '../../support/quiet-logger.ts'
import { aBusiness, present } from '../../support/requests.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { newFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait-for.ts'

const AT = Date.UTC(2026, 0, 31, 9, 30)
const BUSINESS = '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c55'
const CLIENT = '01985b7e-3c5e-7a52-b1cf-6d1c3a1f0c56'

describe('mint dead-letters', () => {
  const folderWith = (...letters: readonly DeadLetter[]) => folderWithMade(async () => letters)

  /** The same, but with messages that the businesses service has signed. */
  const folderWithSigned = (...letters: readonly DeadLetter[]) =>
    folderWithMade((sign) =>
      Promise.all(letters.map(async (letter) => ({ ...letter, message: await sign(letter.message) }))),
    )

  async function folderWithMade(make: (sign: Sign) => Promise<readonly DeadLetter[]>): Promise<{ DATA_DIR: string }> {
    const folder = newFolder()
    await fillFolder(folder, { contracts: 1, businesses: 1 })
    const sign = await createUnderstood(folder)
    const database = await openSqliteDatabase({ file: join(folder, 'contracts.db'), views: [] })
    for (const letter of await make(sign)) await database.deadLetters.add(letter)
    await database.close()
    return { DATA_DIR: folder }
  }

  it('lists messages with the reasons they were set aside, and replays those that are understood by now', async () => {
    const environment = await folderWithSigned(
      setAside(understood(), 'not understood then'),
      setAside(nonsense(), 'no JSON'),
    )
    const listed = jsonLines((await mint(['dead-letters', 'list', '--json'], environment)).output) as ListedLetter[]
    assert.deepEqual(
      listed.map(({ key, reason, at, topic }) => ({ key, reason, at, topic })),
      [
        { key: BUSINESS, reason: 'not understood then', at: '2026-01-31T09:30:00.000Z', topic: BUSINESSES_TOPIC },
        { key: 'nonsense', reason: 'no JSON', at: '2026-01-31T09:30:00.000Z', topic: BUSINESSES_TOPIC },
      ],
    )
    const replayed = await mint(['dead-letters', 'replay', '--json'], environment)
    assert.deepEqual(jsonLines(replayed.output), [
      { id: listed[0]?.id, outcome: 'handled' },
      { id: listed[1]?.id, outcome: 'set aside again' },
    ])
    const left = jsonLines((await mint(['dead-letters', 'list', '--json'], environment)).output) as ListedLetter[]
    assert.deepEqual(
      left.map(({ id }) => id),
      [listed[1]?.id],
    )
    assert.equal(await nameOfClient(environment.DATA_DIR), 'Understood')
  })

  it('replays a single letter by its id, and reports an unknown id', async () => {
    const environment = await folderWithSigned(setAside(understood(), 'first'), setAside(nonsense(), 'second'))
    const [first] = jsonLines((await mint(['dead-letters', 'list', '--json'], environment)).output) as ListedLetter[]
    assert.equal(
      (await mint(['dead-letters', 'replay', String(first?.id)], environment)).output,
      `${first?.id}  handled\n`,
    )
    const again = await mint(['dead-letters', 'replay', String(first?.id)], environment)
    assert.deepEqual([again.exitCode, again.errors], [1, `No message ${first?.id} is set aside.\n`])
    const { output } = await mint(['dead-letters', 'list'], environment)
    assert.match(output, /^[0-9a-f]{12} {2}\S+ {2}mint\.businesses\.v1 .*\n {2}second\n {2}"no JSON at all"\n$/)
  })

  it('are kept until they are handled, even if the process is killed in between', async () => {
    const letter = setAside(understood(), 'not understood then')
    const { DATA_DIR } = await folderWith(letter)
    const killed = await openContracts(DATA_DIR)
    const began = Promise.withResolvers<void>()
    // Never answers, as if the process were killed while it handles the message.
    const handle = (): Promise<void> => {
      began.resolve()
      return new Promise(() => undefined)
    }
    replayLetter(letter, { ...killed, handle }).catch(() => undefined)
    await began.promise
    await killed.close()
    const again = await openContracts(DATA_DIR)
    const count = await again.deadLetters.count()
    await again.close()
    assert.equal(count, 1)
  })

  it('stay if they are set aside again before the replay has removed them', async () => {
    const letter = setAside(understood(), 'not understood then')
    const { deadLetters, close } = await openContracts((await folderWith(letter)).DATA_DIR)
    const comesBack = { ...letter, reason: 'still not understood', at: AT + 1 }
    await replayLetter(letter, { deadLetters, handle: () => deadLetters.add(comesBack) })
    assert.deepEqual(await deadLetters.list(10), [comesBack])
    await close()
  })

  it('stay if they were truncated or imported from another topic, and don’t block others', async () => {
    const cut = { ...setAside({ ...nonsense(), key: 'cut' }, 'truncated'), isCut: true }
    const elsewhere = { ...setAside(nonsense(), 'no JSON'), topic: 'another' }
    const environment = await folderWithSigned(cut, elsewhere, setAside(understood(), 'not understood then'))
    const { output } = await mint(['dead-letters', 'replay'], environment)
    assert.match(output, /^\w+ {2}too large\n\w+ {2}handled\n\w+ {2}set aside again\n$/)
    const left = jsonLines((await mint(['dead-letters', 'list', '--json'], environment)).output) as ListedLetter[]
    assert.deepEqual(
      left.map(({ key, topic }) => [key, topic]),
      [
        ['cut', BUSINESSES_TOPIC],
        ['nonsense', 'another'],
      ],
    )
  })

  describeOn(bothEngines(), 'of separate processes', (mongoUrl) => {
    it('are in MongoDB by the time the message counts as handled, and are replayed without Kafka', async () => {
      const separate = await newSeparateMint(mongoUrl)
      const { KAFKA_BROKERS, ...withoutKafka } = separate.settings
      const name = topicIn(separate.namespace, BUSINESSES_TOPIC)
      const topic = atEnd.close(newKafkaTopic(KAFKA_BROKERS, name))
      const listed = async () => {
        const { output } = await mint(['dead-letters', 'list', '--json'], withoutKafka)
        return jsonLines(output) as ListedLetter[]
      }
      await separate.start('businesses').ready()
      const contracts = separate.start('contracts')
      await contracts.ready()
      await topic.publisher.publish([nonsense()])
      await waitFor(async () => (await listed()).length === 1, { timeout: 60_000, every: 100, what: 'the letter' })
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
    const environment = await folderWith(setAside(nonsense(), 'kept'))
    const file = join(environment.DATA_DIR, 'mint.ndjson')
    const target = { DATA_DIR: join(environment.DATA_DIR, 'target') }
    assert.equal((await mint(['export', file], environment)).exitCode, 0)
    assert.equal((await mint(['import', file], target)).exitCode, 0)
    const list = ['dead-letters', 'list', '--json']
    assert.equal((await mint(list, target)).output, (await mint(list, environment)).output)
  })
})

type Sign = (message: TopicMessage) => Promise<TopicMessage>

interface ListedLetter {
  readonly id: string
  readonly key: string
  readonly reason: string
  readonly at: string
  readonly topic: string
}

const openContracts = (folder: string): Promise<Database> =>
  openSqliteDatabase({ file: join(folder, 'contracts.db'), views: contractsViews })

/** Creates the business of `understood`; returns a function that signs messages as its service does. */
async function createUnderstood(folder: string): Promise<Sign> {
  const database = await openSqliteDatabase({ file: join(folder, 'businesses.db'), views: businessesViews })
  const ids = [BUSINESS, CLIENT]
  const newId = () => present(ids.shift())
  const { businesses } = createBusinessesApp({ database, clock: () => AT, newId, logger: quietLogger() })
  await businesses.createBusiness(aBusiness({ legalName: 'Understood' }))
  const sign = await createSigningKeys(database).signer()
  await database.close()
  return sign
}

async function nameOfClient(folder: string): Promise<string | undefined> {
  const database = await openContracts(folder)
  const row = await database.view(clientsView).get(CLIENT)
  await database.close()
  return row?.state.displayName
}

const setAside = (message: TopicMessage, reason: string): DeadLetter => ({
  topic: BUSINESSES_TOPIC,
  message,
  reason,
  at: AT,
})

function nonsense(): TopicMessage {
  return {
    ...understood(),
    key: 'nonsense',
    headers: { ...understood().headers, ce_id: 'other/1' },
    value: 'no JSON at all',
  }
}

/** A new business as the relay publishes it. */
function understood(): TopicMessage {
  const at = formatTimestamp(AT)
  const state = {
    id: BUSINESS,
    clientId: CLIENT,
    legalName: 'Understood',
    operatedAs: 'Understood',
    businessNumber: '',
    taxId: null,
    phone: '',
    email: '',
    ownershipType: 'other',
    industryType: 'other',
    incorporationDate: '',
    createdAt: at,
    updatedAt: at,
  }
  const who = { actor: 'test', changed: Object.keys(state).join() }
  return toMessage({
    id: 'mint/businesses/1000',
    source: 'mint/businesses',
    type: 'mint.business.created.v1',
    subject: BUSINESS,
    time: AT,
    recordversion: 1,
    ...who,
    data: JSON.stringify({ ...state, version: 1 }),
  }).message
}
