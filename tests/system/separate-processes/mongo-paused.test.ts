import assert from 'node:assert/strict'
import { assertNone } from '../../support/assert-none.ts'
import { atEnd } from '../../support/cleanup.ts'
import { describeOn, type Engine, kafkaEngine, mongodProgram } from '../../support/engines.ts'
import { startReplicaSet } from '../../support/mongod.ts'
import type { Rest } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const ROUNDS = 3
/** Milliseconds between two creates, so that those that time out together began at different times. */
const INTERVAL = 25
const brokers = kafkaEngine()
const needed: Engine = 'missing' in brokers ? brokers : mongodProgram()

describeOn(needed, 'Separate processes while mongod is paused', (program) => {
  it('never answer `unavailable` to a create that is in the log, or 201 to one that is not', async () => {
    const set = atEnd.remove(await startReplicaSet(program, 1))
    const member = await set.primary()
    const mint = await newSeparateMint(set.url)
    // Businesses need no number before they can be written, contracts do.
    const businesses = mint.start('businesses')
    const call = await mint.callerOf(mint.start('gateway'))
    await businesses.ready()
    atEnd(() => member.signal('SIGCONT'))

    const load = startCreating(call)
    for (let round = 1; round <= ROUNDS; round++) {
      const { created, unavailable } = countsOf(load.answers)
      await waitFor(() => countsOf(load.answers).created > created + 10, { timeout: 20_000, what: 'creates to go on' })
      member.signal('SIGSTOP')
      await waitFor(() => countsOf(load.answers).unavailable > unavailable + 10 * round, {
        timeout: 20_000,
        what: 'creates to be refused',
      })
      member.signal('SIGCONT')
    }
    await load.stop()
    const kinds = [...new Set(load.answers.values())]
    assertNone(kinds.filter((kind) => !['created', 'unavailable', 'outcome_unknown'].includes(kind)))

    const inLog = await allPhones(call)
    assert.equal(new Set(inLog).size, inLog.length, 'no create was made twice')
    const marksOf = (kind: Kind) => [...load.answers].filter(([, answered]) => answered === kind).map(([mark]) => mark)
    const written = new Set(inLog)
    assert.deepEqual(
      marksOf('unavailable').filter((mark) => written.has(mark)),
      [],
      'said not to be written',
    )
    assert.deepEqual(
      marksOf('created').filter((mark) => !written.has(mark)),
      [],
      'acknowledged',
    )
  }).timeout(120_000)
})

type Kind = 'created' | 'unavailable' | 'outcome_unknown'

/** Creates businesses one after the other without waiting for answers, each with a unique phone number. */
function startCreating(call: Rest) {
  const answers = new Map<string, Kind>()
  const underWay = new Set<Promise<void>>()
  let count = 0
  const create = async (): Promise<void> => {
    const phone = `${++count}`
    const { status, body } = await call('POST', '/businesses', { legalName: 'École du Nord', phone })
    answers.set(phone, status === 201 ? 'created' : body.code)
  }
  const timer = setInterval(() => {
    const creating = create().finally(() => underWay.delete(creating))
    underWay.add(creating)
  }, INTERVAL)
  return {
    answers,
    async stop() {
      clearInterval(timer)
      await Promise.all(underWay)
    },
  }
}

function countsOf(answers: ReadonlyMap<string, Kind>): Record<Kind, number> {
  const counts = { created: 0, unavailable: 0, outcome_unknown: 0 }
  for (const kind of answers.values()) counts[kind]++
  return counts
}

/**
 * The phone number of every business, once the service answers again. Pages by cursor: a create of unknown outcome may
 * still be inserted in front.
 */
async function allPhones(call: Rest): Promise<string[]> {
  const phones: string[] = []
  for (let after = ''; ; ) {
    const page = await waitFor(
      async () => {
        const { status, body } = await call('GET', `/businesses?limit=100${after}`)
        return status === 200 ? (body.businesses as { id: string; phone: string }[]) : undefined
      },
      { timeout: 20_000, what: 'the list' },
    )
    if (page.length === 0) return phones
    phones.push(...page.map(({ phone }) => phone))
    after = `&after=${page.at(-1)?.id}`
  }
}
