import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PART_NAMES } from '../../../cli/admin/parts.ts'
import { atEnd } from '../../support/cleanup.ts'
import { succeeds } from '../../support/command-line.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { fillFolder } from '../../support/filled-folder.ts'
import { deleteTopics } from '../../support/kafka-topics.ts'
import { dropDatabase } from '../../support/mongo-database.ts'
import { newFolder, temporaryFolder } from '../../support/temporary-folder.ts'

type Environment = Readonly<Record<string, string>>

describe('Every character that a text may have', () => {
  const source = temporaryFolder()
  const file = join(source.path, 'mint.ndjson')

  before(async () => {
    const notes = notesOfEveryCharacter()
    const DATA_DIR = join(source.path, 'data')
    await fillFolder(DATA_DIR, { contracts: notes.length, businesses: 1, notes })
    await succeeds(['export', file], { DATA_DIR })
    // Split by line feeds only, as the format requires.
    const recorded = commitsIn(file).flatMap(({ events }) => events.map(({ data }) => data.notes))
    assert.deepEqual(recorded.filter((text) => text && text !== 'Fee corrected.').sort(), [...notes].sort())
  })
  after(() => source.remove())

  it('survives an export and an import into another folder', async () => {
    await arrivesIn({ DATA_DIR: join(newFolder(), 'data') })
  })

  describeOn(bothEngines(), 'on MongoDB', (mongoUrl) => {
    it('survives an export and an import into its databases', async () => {
      const namespace = `t${randomUUID().slice(0, 13)}`
      for (const part of PART_NAMES) atEnd(() => dropDatabase(mongoUrl, `${namespace}_${part}`))
      const KAFKA_BROKERS = process.env.KAFKA_BROKERS ?? ''
      atEnd(() => deleteTopics(KAFKA_BROKERS, `${namespace}.`))
      await arrivesIn({ MONGO_URL: mongoUrl, NAMESPACE: namespace, KAFKA_BROKERS })
    })
  })

  async function arrivesIn(environment: Environment): Promise<void> {
    await succeeds(['import', file], environment)
    await succeeds(['verify'], environment)
    const again = join(newFolder(), 'again.ndjson')
    await succeeds(['export', again], environment)
    assert.deepEqual(commitsIn(again), commitsIn(file))
  }
})

/** The commits of the contracts in an export. */
const commitsIn = (file: string): readonly { events: { data: { notes?: string } }[] }[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"part":"contracts","position"'))
    .map((line) => JSON.parse(line))

/** How many code points a contract's notes may have. */
const MAX_NOTES_LENGTH = 10_000

/** Notes that together contain every code point that a text may have: all but NUL and unpaired surrogates. */
function notesOfEveryCharacter(): string[] {
  const codePoints = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
    (codePoint) => codePoint > 0 && (codePoint < 0xd800 || codePoint > 0xdfff),
  )
  return Array.from({ length: Math.ceil(codePoints.length / MAX_NOTES_LENGTH) }, (_, index) =>
    String.fromCodePoint(...codePoints.slice(index * MAX_NOTES_LENGTH, (index + 1) * MAX_NOTES_LENGTH)),
  )
}
