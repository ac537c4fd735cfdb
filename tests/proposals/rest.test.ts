import assert from 'node:assert/strict'
import type { Scope } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { overEachTransport, TEST_KEY, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { aNewContract, create, OVERRIDING } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const key = (letter: string, name: string, scopes: readonly Scope[]) => {
  const secret = `mint_${letter.repeat(30)}`
  return { ...configuredKey(secret), name, scopes, headers: { authorization: `Bearer ${secret}` } }
}
const agent = key('p', 'Agent', ['contracts:propose'])
const reader = key('r', 'Reader', ['contracts:read'])
const writer = key('w', 'Writer', ['contracts:write'])
const stranger = key('s', 'Stranger', ['businesses:read'])
const apiKeys = staticApiKeys([
  { ...configuredKey(TEST_KEY), name: 'Bookkeeping' },
  ...[agent, reader, writer, stranger].map(({ headers: _, ...configured }) => configured),
])

overEachTransport(
  'Proposals',
  (call) => {
    const propose = (body: object, headers = {}) => call('POST', '/proposals', body, { ...agent.headers, ...headers })
    const proposeNew = (fields = {}) =>
      propose({ action: 'create', fields: aNewContract(fields), reason: 'Not billed yet.' })
    const proposeEdit = (contractId: number, version: number, fields: object) =>
      propose({ action: 'edit', contractId, version, fields, reason: 'The hours were missing.' })
    const get = async (id: string) => (await call('GET', `/proposals/${id}`, undefined, agent.headers)).body
    const accept = (id: string, headers = {}) => call('POST', `/proposals/${id}/accept`, undefined, headers)
    const decline = (id: string, reason = 'Billed already.', headers = {}) =>
      call('POST', `/proposals/${id}/decline`, { reason }, headers)
    const sumsOf = async (month: string) => {
      const { rows } = (await call('GET', '/reports/contracts?groupBy=month&limit=1000')).body
      const row = rows.find((one: { month: string }) => one.month === month)
      const { count, totalFeeWithTax, billed } = row ?? { count: 0, totalFeeWithTax: '0', billed: '0' }
      return { count, totalFeeWithTax, billed }
    }
    const contractCount = async () => (await call('GET', '/contracts?limit=1')).body.total

    it('preview a new contract and its month, write nothing, and are applied once when accepted', async () => {
      await create(call, '/contracts', aNewContract({ serviceDate: '2030-05-01', serviceFee: 0.005, taxPercent: 0 }))
      const [before, count] = [await sumsOf('2030-05'), await contractCount()]
      const made = await proposeNew({ serviceDate: '2030-05-31', serviceFee: 19.99, taxPercent: 8.25 })
      const { id, createdAt, expiresAt, preview, ...proposal } = made.body
      assert.deepEqual([made.status, made.headers.get('location')], [201, `/proposals/${id}`])
      const fields = { ...aNewContract(), serviceDate: '2030-05-31T00:00:00.000Z', serviceFee: 19.99, taxPercent: 8.25 }
      assert.deepEqual(proposal, {
        ...{ action: 'create', contractId: null, version: null, fields, reason: 'Not billed yet.', status: 'open' },
        ...{ by: agent.id, byName: 'Agent', decidedAt: null, decidedBy: null, declineReason: null },
      })
      assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 30 * 24 * 60 * 60 * 1000)
      assert.deepEqual(
        [preview.before, preview.after, preview.closedThrough],
        [null, { ...fields, totalFeeWithTax: 21.639175, notes: '' }, null],
      )
      assert.deepEqual(preview.months.length, 1)
      assert.deepEqual([preview.months[0].month, preview.months[0].before], ['2030-05', before])
      assert.deepEqual([await contractCount(), await sumsOf('2030-05')], [count, before])
      assert.deepEqual(await get(id), made.body)

      const accepted = await accept(id)
      assert.equal(accepted.status, 200, accepted.text)
      const { status, contractId, decidedBy } = accepted.body
      assert.deepEqual([status, decidedBy], ['accepted', TEST_KEY_ID])
      assert.deepEqual(accepted.body.preview, preview)
      assert.deepEqual(await sumsOf('2030-05'), preview.months[0].after)
      const [event] = (await call('GET', `/contracts/${contractId}/history`)).body.events
      assert.deepEqual(
        [event.by, event.byName, event.proposedBy, event.proposedByName],
        [TEST_KEY_ID, 'Bookkeeping', agent.id, 'Agent'],
      )
      assert.equal(event.data.proposedBy, undefined)
      assert.equal(event.at, accepted.body.decidedAt)
      assertProblem(await accept(id), 409, 'proposal_ended')
      assert.equal(await contractCount(), count + 1)
      assert.deepEqual(await get(id), accepted.body)
    })

    it('preview both months for an edit that moves a contract to another month', async () => {
      const { id } = await create(call, '/contracts', aNewContract({ serviceDate: '2030-06-30', serviceFee: 10.005 }))
      const before = [await sumsOf('2030-06'), await sumsOf('2030-07')]
      const { body } = await proposeEdit(id, 1, { serviceDate: '2030-07-01', serviceFee: 20 })
      const { months } = body.preview
      assert.deepEqual(
        months.map((one: { month: string; before: object }) => [one.month, one.before]),
        [
          ['2030-06', before[0]],
          ['2030-07', before[1]],
        ],
      )
      assert.deepEqual([body.preview.before.serviceFee, body.preview.after.serviceFee], [10.005, 20])
      assert.equal((await accept(body.id)).status, 200)
      assert.deepEqual(
        months.map((one: { after: object }) => one.after),
        [await sumsOf('2030-06'), await sumsOf('2030-07')],
      )
      const { events } = (await call('GET', `/contracts/${id}/history`)).body
      assert.deepEqual(
        events.map((one: { proposedBy?: string }) => one.proposedBy),
        [undefined, agent.id],
      )
    })

    it('recompute the preview on each read until they end', async () => {
      const { body } = await proposeNew({ serviceDate: '2030-08-01' })
      await create(call, '/contracts', aNewContract({ serviceDate: '2030-08-02' }))
      const open = await get(body.id)
      assert.deepEqual([body.preview.months[0].before.count, open.preview.months[0].before.count], [0, 1])
      const declined = await decline(body.id)
      await create(call, '/contracts', aNewContract({ serviceDate: '2030-08-03' }))
      assert.deepEqual(await get(body.id), declined.body)
      const { status, declineReason, decidedBy, preview } = declined.body
      assert.deepEqual([status, declineReason, decidedBy], ['declined', 'Billed already.', TEST_KEY_ID])
      assert.deepEqual(preview, open.preview)
    })

    it('end only once: a declined one can’t be accepted, nor vice versa', async () => {
      const count = await contractCount()
      for (const [first, second] of [
        [decline, accept],
        [accept, decline],
      ] as const) {
        const { id } = (await proposeNew()).body
        assert.equal((await first(id)).status, 200)
        const status = (await get(id)).status
        assert.match(assertProblem(await second(id), 409, 'proposal_ended').detail, new RegExp(`was ${status}`))
        assert.equal((await get(id)).status, status)
      }
      assert.equal(await contractCount(), count + 1)
    })

    it('become outdated when their contract changes, and are refused on creation for another version', async () => {
      const { id } = await create(call, '/contracts', aNewContract())
      const proposal = (await proposeEdit(id, 1, { serviceFee: 99 })).body
      await call('PATCH', `/contracts/${id}`, { notes: 'Seen.' })
      assert.equal((await get(proposal.id)).status, 'outdated')
      assert.match(assertProblem(await accept(proposal.id), 409, 'proposal_ended').detail, /outdated/)
      assertProblem(await decline(proposal.id), 409, 'proposal_ended')
      assertProblem(await proposeEdit(id, 1, { serviceFee: 99 }), 412, 'precondition_failed')
      assert.equal((await call('GET', `/contracts/${id}`)).body.serviceFee, 150)
    })

    it('permanently show what they would have done when they became outdated', async () => {
      const { id } = await create(call, '/contracts', aNewContract({ serviceDate: '2030-10-01' }))
      const proposal = (await proposeEdit(id, 1, { serviceFee: 99 })).body
      await call('PATCH', `/contracts/${id}`, { serviceFee: 100 })
      await new Promise((passed) => setTimeout(passed, 5))
      const outdated = await get(proposal.id)
      assert.deepEqual([outdated.status, outdated.preview.before.serviceFee], ['outdated', 100])
      await call('PATCH', `/contracts/${id}`, { serviceFee: 200 })
      await create(call, '/contracts', aNewContract({ serviceDate: '2030-10-02' }))
      assert.deepEqual(await get(proposal.id), outdated)
    })

    it('preview today’s date in the firm’s current time zone, or in that at the time they ended', async () => {
      // It is never the same day in both.
      const zones = ['Pacific/Kiritimati', 'Etc/GMT+12']
      for (const [at, timeZone] of zones.entries()) {
        await call('PATCH', '/firm', { timeZone })
        const proposal = (await proposeNew({ serviceDate: undefined })).body
        const accepted = (await accept(proposal.id)).body
        const { serviceDate } = (await call('GET', `/contracts/${accepted.contractId}`)).body
        const open = (await proposeNew({ serviceDate: undefined })).body
        await call('PATCH', '/firm', { timeZone: zones[1 - at] })
        assert.deepEqual((await get(proposal.id)).preview, accepted.preview)
        const [then, now] = [open, await get(open.id)].map(({ preview }) => preview.after.serviceDate)
        assert.deepEqual([accepted.preview.after.serviceDate, then], [serviceDate, serviceDate])
        assert.notEqual(now, serviceDate)
        await decline(open.id)
      }
      await call('PATCH', '/firm', { timeZone: 'UTC' })
    })

    it('name the closing date that blocks them, and are applied if there is a reason', async () => {
      await call('PUT', '/closing', { closedThrough: '2020-12-31', reason: 'Filed.' })
      const { id, preview } = (await proposeNew({ serviceDate: '2020-12-31' })).body
      assert.equal(preview.closedThrough, '2020-12-31')
      assertProblem(await accept(id), 409, 'period_closed')
      assert.equal((await get(id)).status, 'open')
      assertProblem(await accept(id, { ...writer.headers, ...OVERRIDING }), 403, 'insufficient_scope')
      const { contractId } = (await accept(id, OVERRIDING)).body
      const [event] = (await call('GET', `/contracts/${contractId}/history`)).body.events
      assert.deepEqual([event.overrideReason, event.proposedBy], ['A late correction', agent.id])
    })

    it('are refused like the request that they represent, with every field', async () => {
      const unknown = 9_007_199_254_740_991
      assertProblem(await proposeEdit(unknown, 1, { notes: '' }), 404, 'not_found')
      assertProblem(await accept('0199a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b'), 404, 'not_found')
      const { id } = (await call('POST', '/businesses', { legalName: 'Haddad Books' })).body
      assertInvalid(await proposeNew({ clientId: id }), ['body /fields/clientId business_id'])
      assertInvalid(await propose({ action: 'create', contractId: 1, fields: { id: 7, serviceFee: '1', x: 1 } }), [
        'body /fields/clientId required',
        'body /fields/serviceName required',
        'body /fields/serviceType required',
        'body /fields/serviceFee wrong_type',
        'body /fields/id computed_field',
        'body /fields/x unknown_field',
        'body /reason required',
        'body /contractId unknown_field',
      ])
      assertInvalid(await propose({ action: 'edit', fields: { notes: null }, reason: ' ' }), [
        'body /contractId required',
        'body /version required',
        'body /fields/notes wrong_type',
        'body /reason blank',
      ])
      assertInvalid(await propose({}), ['body /action required', 'body /fields required', 'body /reason required'])
    })

    it('can be made by keys that propose, seen by keys that read, and decided on by keys that write', async () => {
      const { id } = (await proposeNew()).body
      const path = `/proposals/${id}`
      for (const [{ headers }, method, at, status] of [
        [stranger, 'GET', '/proposals', 403],
        [stranger, 'GET', path, 403],
        [reader, 'GET', path, 200],
        [reader, 'POST', `${path}/accept`, 403],
        [agent, 'POST', `${path}/accept`, 403],
        [agent, 'POST', `${path}/decline`, 403],
        [writer, 'GET', path, 403],
        [writer, 'POST', `${path}/accept`, 200],
      ] as const) {
        const answer = await call(method, at, undefined, headers)
        assert.equal(answer.status, status, `${method} ${at} ${answer.text}`)
      }
      assertProblem(await call('POST', '/proposals', {}, writer.headers), 403, 'insufficient_scope')
    })

    it('give a repeated request the first answer, whatever has happened since', async () => {
      const [making, accepting] = [{ 'idempotency-key': 'p-1' }, { 'idempotency-key': 'a-1' }]
      const body = { action: 'create', fields: aNewContract({ serviceDate: '2030-09-01' }), reason: 'Not billed yet.' }
      const made = await propose(body, making)
      await create(call, '/contracts', aNewContract({ serviceDate: '2030-09-02' }))
      const first = await accept(made.body.id, accepting)
      for (const [again, answer] of [
        [await propose(body, making), made],
        [await accept(made.body.id, accepting), first],
      ] as const) {
        assert.deepEqual([again.status, again.body], [answer.status, answer.body])
        assert.equal(again.headers.get('idempotency-replayed'), 'true')
      }
      assertProblem(await propose({ ...body, reason: 'Other.' }, making), 409, 'idempotency_key_reused')
      assertProblem(await accept(made.body.id, { 'idempotency-key': 'a-2' }), 409, 'proposal_ended')
    })

    it('are decided on under a separate Idempotency-Key: it can’t be one of another request, nor reused for another', async () => {
      const proposeId = async () => (await proposeNew()).body.id
      const [accepted, declined, other] = [await proposeId(), await proposeId(), await proposeId()]
      const key = (value: string) => ({ 'idempotency-key': value })
      assert.equal((await call('POST', '/contracts', aNewContract(), key('own-c'))).status, 201)
      assert.equal((await accept(accepted, key('own-a'))).status, 200)
      assert.equal((await decline(declined, 'Billed already.', key('own-d'))).status, 200)
      for (const used of ['own-c', 'own-a', 'own-d'].map(key)) {
        assertProblem(await accept(other, used), 409, 'idempotency_key_reused')
        assertProblem(await decline(other, 'Not needed.', used), 409, 'idempotency_key_reused')
        assertProblem(
          await call('POST', '/contracts', aNewContract({ notes: 'x' }), used),
          409,
          'idempotency_key_reused',
        )
      }
      assert.equal((await get(other)).status, 'open')
      assert.equal((await accept(accepted, key('own-a'))).headers.get('idempotency-replayed'), 'true')
      assert.equal((await decline(other)).status, 200)
    })

    it('are decided on for one of several requests that arrive with one Idempotency-Key at the same time', async () => {
      for (const key of ['at-once-1', 'at-once-2'].map((value) => ({ 'idempotency-key': value }))) {
        const [first, second, third] = [await proposeNew(), await proposeNew(), await proposeNew()]
        const count = await contractCount()
        const answers = await Promise.all([
          accept(first.body.id, key),
          accept(second.body.id, key),
          decline(third.body.id, 'Billed already.', key),
          call('POST', '/contracts', aNewContract(), key),
        ])
        const done = answers.filter(({ status }) => status < 300)
        assert.equal(done.length, 1, JSON.stringify(answers.map(({ body }) => body.code ?? body.status)))
        for (const answer of answers) if (!done.includes(answer)) assertProblem(answer, 409, 'idempotency_key_reused')
        assert.equal(await contractCount(), count + (done[0] === answers[2] ? 0 : 1))
        for (const { body } of [first, second, third]) await decline(body.id)
      }
    })

    it('leave the Idempotency-Key of a refused acceptance free for another request', async () => {
      const key = { 'idempotency-key': 'refused-first' }
      await call('PUT', '/closing', { closedThrough: '2020-12-31', reason: 'Filed.' })
      const { id } = (await proposeNew({ serviceDate: '2020-12-31' })).body
      assertProblem(await accept(id, key), 409, 'period_closed')
      assert.equal((await decline(id, 'It is closed.', key)).status, 200)
      const other = (await proposeNew()).body
      assertProblem(await accept(other.id, key), 409, 'idempotency_key_reused')
      await decline(other.id)
    })

    it('are applied only once, even if accepted concurrently', async () => {
      const count = await contractCount()
      const { id } = (await proposeNew()).body
      const answers = await Promise.all(Array.from({ length: 8 }, () => accept(id)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 7 }, () => 409)])
      assert.equal(await contractCount(), count + 1)
    })

    it('are listed newest first, by status, without previews', async () => {
      const list = async (query: string) => (await call('GET', `/proposals?${query}`, undefined, reader.headers)).body
      const all = await list('limit=100')
      assert.equal(all.total, all.proposals.length)
      const byStatus = Object.groupBy(all.proposals as { id: string; status: string }[], ({ status }) => status)
      assert.deepEqual(Object.keys(byStatus).sort(), ['accepted', 'declined', 'outdated'])
      const open = (await proposeNew()).body
      const other = (await proposeNew()).body
      const { preview: _, ...listed } = other
      assert.deepEqual((await list('limit=1')).proposals, [listed])
      for (const [status, ids] of Object.entries({ ...byStatus, open: [other, open], expired: [] })) {
        const found = await list(`status=${status}`)
        const expected = (ids ?? []).map(({ id }) => id)
        assert.deepEqual(
          [found.proposals.map(({ id }: { id: string }) => id), found.total],
          [expected, expected.length],
        )
        const second = await list(`status=${status}&limit=1&offset=1`)
        assert.deepEqual([second.proposals[0]?.id, second.total], [expected[1], expected.length])
      }
      assertInvalid(await call('GET', '/proposals?status=new&x=1'), [
        'query /status not_allowed',
        'query /x unknown_field',
      ])
    })
  },
  { apiKeys },
)
