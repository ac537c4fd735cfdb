import assert from 'node:assert/strict'
import { cutToFit, idOf } from '../../services/contracts/client/dead-letters.ts'
import { createDeadLettersService } from '../../services/contracts/grpc/dead-letters-service.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import type { DeadLetter } from '../../shared/event-sourcing/ports/dead-letters.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import type { TopicHandler, TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { BUSINESSES_TOPIC } from '../../shared/runtime/settings/topic-names.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { aBusiness, present } from '../support/requests.ts'
import { openServices, publishedBy } from '../support/services.ts'

const AT = Date.UTC(2026, 0, 31, 9, 30)
const TOPIC = BUSINESSES_TOPIC
const ALL = { ids: [] }

describe('The dead letters of the contracts service', () => {
  async function given() {
    const services = await openServices()
    return { ...services, stored: services.contractsData.deadLetters }
  }

  const setAside = (message: TopicMessage, at = AT): DeadLetter => ({ topic: TOPIC, message, reason: 'why', at })

  function numbered(number: number, value = 'no JSON'): DeadLetter {
    const headers = { ce_specversion: '1.0', ce_id: `${number}`, ce_source: 's', ce_type: 't', ce_time: '' }
    return setAside({ key: `${number}`, headers, value }, AT + number)
  }

  it('become Clients once they can be handled, and repeating the replay changes nothing', async () => {
    const { businesses, clients, deadLetters, stored, ...services } = await given()
    const { clientId } = present((await businesses.createBusiness(aBusiness())).business)
    const [message] = await publishedBy({ ...services })
    const letter = setAside(present(message))
    await stored.add(letter)
    const replayed = [{ id: idOf(letter), outcome: 'handled' }]
    assert.deepEqual(await deadLetters.replayDeadLetters({ ids: [idOf(letter)] }), { replayed, remaining: 0 })
    const { client } = await clients.getClient({ clientId })
    assert.equal(client?.displayName, 'Acme Inc.')
    const notFound = [{ id: idOf(letter), outcome: 'not_found' }]
    assert.deepEqual(await deadLetters.replayDeadLetters({ ids: [idOf(letter)] }), { replayed: notFound, remaining: 0 })
    assert.deepEqual(await deadLetters.replayDeadLetters(ALL), { replayed: [], remaining: 0 })
    await stored.add(letter)
    assert.deepEqual(await deadLetters.replayDeadLetters(ALL), { replayed, remaining: 0 })
    assert.deepEqual((await clients.getClient({ clientId })).client, client)
  })

  it('stay if they still can’t be handled, and don’t block others', async () => {
    const { businesses, deadLetters, stored, ...services } = await given()
    await businesses.createBusiness(aBusiness())
    const [message] = await publishedBy({ ...services })
    const [nonsense, understood] = [numbered(1), setAside(present(message), AT + 2)]
    for (const letter of [nonsense, understood]) await stored.add(letter)
    assert.deepEqual(await deadLetters.replayDeadLetters(ALL), {
      replayed: [
        { id: idOf(nonsense), outcome: 'set_aside_again' },
        { id: idOf(understood), outcome: 'handled' },
      ],
      remaining: 1,
    })
  })

  it('stay under their id, also if they were imported from another topic', async () => {
    const { deadLetters, stored } = await given()
    const imported = { ...numbered(1), topic: 'another' }
    await stored.add(imported)
    const replayed = [{ id: idOf(imported), outcome: 'set_aside_again' }]
    assert.deepEqual(await deadLetters.replayDeadLetters(ALL), { replayed, remaining: 1 })
    assert.deepEqual((await stored.list(10)).map(idOf), [idOf(imported)])
  })

  it('stay if they were truncated, and don’t block others', async () => {
    const { deadLetters, stored } = await given()
    const cut = cutToFit(numbered(1, 'é'.repeat(7_500_001)))
    for (const letter of [cut, numbered(2)]) await stored.add(letter)
    const others = [{ id: idOf(numbered(2)), outcome: 'set_aside_again' }]
    assert.deepEqual(await deadLetters.replayDeadLetters(ALL), { replayed: others, remaining: 2 })
    const replayed = [{ id: idOf(cut), outcome: 'too_large' }]
    assert.deepEqual(await deadLetters.replayDeadLetters({ ids: [idOf(cut)] }), { replayed, remaining: 2 })
  })

  it('count as truncated by their reason only if Mint 0.2 set them aside', async () => {
    const { deadLetters, stored } = await given()
    const { isCut, ...ofEarlierMint } = cutToFit(numbered(1, 'é'.repeat(7_500_001)))
    const { reason } = ofEarlierMint
    for (const letter of [ofEarlierMint, cutToFit({ ...numbered(2), reason })]) await stored.add(letter)
    const { deadLetters: listed } = await deadLetters.listDeadLetters({ limit: 0, offset: 0 })
    assert.deepEqual([isCut, ...listed.map((letter) => letter.isCut)], [true, true, false])
  })

  it('are replayed 100 at a time, oldest first, each once', async () => {
    const { handleBusinessEvents: handle, stored } = await given()
    const stopped = { clock: () => AT, logger: quietLogger() }
    const deadLetters = createDeadLettersService({ deadLetters: stored, handle, ...stopped })
    const letters = Array.from({ length: 150 }, (_, index) => numbered(index))
    for (const letter of letters) await stored.add(letter)
    const first = await deadLetters.replayDeadLetters(ALL)
    const ids = letters.map(idOf)
    assert.deepEqual([first.replayed.map(({ id }) => id), first.remaining], [ids.slice(0, 100), 150])
    const next = await deadLetters.replayDeadLetters(ALL)
    assert.deepEqual(
      next.replayed.map(({ id }) => id),
      [...ids.slice(100), ...ids.slice(0, 50)],
    )
  })

  it('are left for the next call once the time limit is reached, however many can’t be replayed', async () => {
    const { handleBusinessEvents: handle, stored } = await given()
    const cut = cutToFit(numbered(1, 'é'.repeat(7_500_001)))
    let now = AT
    const endless = {
      ...stored,
      list: async () => {
        now += 500
        return [cut]
      },
    }
    const options = { deadLetters: endless, handle, clock: () => now, logger: quietLogger() }
    const { replayed } = await createDeadLettersService(options).replayDeadLetters(ALL)
    assert.deepEqual([replayed, now], [[], AT + 2_000])
  })

  it('are listed page by page, without their values and with long texts truncated', async () => {
    const { deadLetters, stored } = await given()
    const letters = Array.from({ length: 25 }, (_, index) => numbered(index, 'a secret'))
    for (const letter of letters) await stored.add(letter)
    const { message } = numbered(99)
    const headers = { ...message.headers, ce_type: 't'.repeat(1_000) }
    const long = {
      ...setAside({ ...message, headers, key: `x${'😀'.repeat(1_000)}` }, AT + 99),
      reason: 'r'.repeat(2_000),
    }
    await stored.add(long)
    const page = await deadLetters.listDeadLetters({ limit: 12, offset: 10 })
    assert.deepEqual([page.deadLetters.map(({ id }) => id), page.total], [letters.slice(10, 22).map(idOf), 26])
    assert.deepEqual(page.deadLetters[0], {
      id: idOf(present(letters[10])),
      topic: TOPIC,
      key: '10',
      type: 't',
      reason: 'why',
      at: AT + 10,
      isCut: false,
    })
    const { deadLetters: last } = await deadLetters.listDeadLetters({ limit: 0, offset: 25 })
    const { key, type, reason } = present(last[0])
    assert.deepEqual([key, type, reason], [`x${'😀'.repeat(99)}\ufffd`, 't'.repeat(200), 'r'.repeat(1_000)])
  })

  it('reveal nothing of their values in the reason either, even if an earlier version set them aside', async () => {
    const { deadLetters, handleBusinessEvents, stored } = await given()
    const value = '{"legalName": "A secret", oops'
    const { message } = numbered(1, value)
    await handleBusinessEvents([{ ...message, headers: { ...message.headers, ce_type: 'mint.business.edited.v1' } }])
    assert.equal(present((await stored.list(1))[0]).reason, 'The value is not JSON.')
    const earlier = `The value is not JSON: Unexpected token 'o', ..."A secret", oops" is not valid JSON`
    const cut = cutToFit({ ...numbered(2, 'v'.repeat(16_000_000)), reason: earlier })
    for (const one of [{ ...numbered(3, value), reason: earlier }, cut]) await stored.add(one)
    const { deadLetters: listed } = await deadLetters.listDeadLetters({ limit: 0, offset: 0 })
    const note = cut.reason.slice(cut.reason.indexOf('Too large'))
    const reasons = listed.map(({ reason }) => reason).sort()
    assert.deepEqual(reasons, ['The value is not JSON.', 'The value is not JSON.', `The value is not JSON. ${note}`])
  })

  describe('while something else fails', () => {
    async function withHandler(handle: TopicHandler) {
      let now = AT
      const { stored } = await given()
      for (const number of [1, 2, 3]) await stored.add(numbered(number))
      const passing: TopicHandler = async (messages) => {
        now += 1_500
        await handle(messages)
      }
      const clock = () => now
      return createDeadLettersService({
        deadLetters: stored,
        handle: passing,
        clock,
        logger: quietLogger(),
      })
    }

    it('are not replayed, and none is lost', async () => {
      const businessesAway = new CodedError('unavailable', 'away')
      const failures = [
        [businessesAway, 'unavailable'],
        [new StoreUnavailable('away'), 'outcome_unknown'],
      ] as const
      for (const [error, code] of failures) {
        const service = await withHandler(() => Promise.reject(error))
        await assert.rejects(service.replayDeadLetters(ALL), { code })
        assert.equal((await service.listDeadLetters({ limit: 0, offset: 0 })).total, 3)
      }
    })

    it('are reported if they were replayed before the failure', async () => {
      let calls = 0
      const service = await withHandler(async () => {
        if (++calls === 2) throw new StoreUnavailable('away')
      })
      const replayed = [{ id: idOf(numbered(1)), outcome: 'handled' }]
      assert.deepEqual(await service.replayDeadLetters(ALL), { replayed, remaining: 2 })
    })

    it('are replayed for a few seconds only, so that the caller gets an answer in time', async () => {
      const service = await withHandler(async () => undefined)
      const { replayed, remaining } = await service.replayDeadLetters(ALL)
      assert.deepEqual([replayed.length, remaining], [2, 1])
    })
  })
})
