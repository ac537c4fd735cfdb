import assert from 'node:assert/strict'
import express from 'express'
import { createGatewayServer } from '../../gateway/server.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { CodedError, type ErrorCode } from '../../shared/calls/errors.ts'
import type { Logger } from '../../shared/runtime/log/logger.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { startGateway, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { assertInvalid, assertProblem } from '../support/problem-assertions.ts'
import { quietLogger } from '../support/quiet-logger.ts'
import { sendRaw } from '../support/raw-http.ts'
import { aNewContract } from '../support/rest.ts'

const SECRET_TEXT = 'connect ECONNREFUSED 10.1.2.3:27017 as admin'

describe('When a service fails', () => {
  /** A gateway whose contracts service behaves the same for every call. */
  async function gatewayOver(service: () => Promise<never>, logger?: Logger) {
    const contracts = { listContracts: service, getContract: service, createContract: service, editContract: service }
    const timeouts = { service: 100 }
    const gateway = atEnd.stop(await startGateway({ contracts } as never, { timeouts, ...(logger && { logger }) }))
    const list = () => gateway.call('GET', '/contracts')
    const get = () => gateway.call('GET', '/contracts/7')
    const create = () => gateway.call('POST', '/contracts', aNewContract())
    const edit = () => gateway.call('PATCH', '/contracts/7', { notes: '' })
    const calls = [list, get, create, edit] as const
    return { gateway, calls, reads: [list, get], writes: [create, edit], ofOne: [get, edit], edits: [edit] }
  }

  const failing = (code: ErrorCode) => async () => {
    throw new CodedError(code, SECRET_TEXT, { cause: new Error(SECRET_TEXT) })
  }

  for (const [code, status, retryAfter, to] of [
    ['not_found', 404, null, 'ofOne'],
    ['precondition_failed', 412, null, 'edits'],
    ['idempotency_key_reused', 409, null, 'writes'],
    ['unavailable', 503, '1', 'calls'],
    ['outcome_unknown', 503, '1', 'writes'],
    ['internal_error', 500, null, 'calls'],
  ] as const) {
    it(`${code} is answered as ${status}, without the service's own text`, async () => {
      for (const call of (await gatewayOver(failing(code)))[to]) {
        const answer = await call()
        assertProblem(answer, status, code)
        assert.equal(answer.headers.get('retry-after'), retryAfter)
        assert.ok(!answer.text.includes('ECONNREFUSED'))
      }
    })
  }

  it('any other error is an internal_error, and its text is only in the log', async () => {
    const lines: unknown[] = []
    const logger = { ...quietLogger(), isLevelEnabled: () => false, error: (line: unknown) => lines.push(line) }
    const failingOddly = async () => Promise.reject(new TypeError(SECRET_TEXT))
    const { calls } = await gatewayOver(failingOddly, logger as never)
    for (const call of calls) {
      const answer = await call()
      const { requestId } = assertProblem(answer, 500, 'internal_error')
      assert.ok(!answer.text.includes('ECONNREFUSED'))
      const line = lines.pop() as { requestId: string; err: Error }
      assert.deepEqual([line.requestId, line.err.message], [requestId, SECRET_TEXT])
    }
  })

  it('a thrown value that is not an Error is an internal_error too', async () => {
    const { calls } = await gatewayOver(async () => Promise.reject(undefined))
    for (const call of calls) assertProblem(await call(), 500, 'internal_error')
  })

  it('a service that answers without the record is an internal_error', async () => {
    const { calls } = await gatewayOver(async () => ({}) as never)
    for (const call of calls.slice(1)) assertProblem(await call(), 500, 'internal_error')
  })

  it('a service that does not answer in time is unavailable for a read, outcome_unknown for a write', async () => {
    const { reads, writes } = await gatewayOver(() => new Promise(() => undefined))
    for (const read of reads) assertProblem(await read(), 503, 'unavailable')
    for (const write of writes) assertProblem(await write(), 503, 'outcome_unknown')
  })

  it('outcome_unknown advises retrying with the same Idempotency-Key, or checking first without one', async () => {
    const { gateway } = await gatewayOver(() => new Promise(() => undefined))
    const detailOf = async (headers: Readonly<Record<string, string>>): Promise<string> =>
      assertProblem(await gateway.call('POST', '/contracts', aNewContract(), headers), 503, 'outcome_unknown').detail
    assert.match(await detailOf({ 'idempotency-key': 'one' }), /Send it again with the same Idempotency-Key/)
    assert.match(await detailOf({}), /Get the record or the list to find out before you send it again/)
  })

  it('an answer or an error after the deadline is ignored', async () => {
    const late = Promise.withResolvers<never>()
    const read = (await gatewayOver(() => late.promise)).calls[1]
    assertProblem(await read(), 503, 'unavailable')
    late.reject(new Error('too late'))
    assertProblem(await read(), 500, 'internal_error')
  })

  it("a service's violations keep their pointers, and name the part of the request that these refer to", async () => {
    const violations = ['/id', '/clientId', '/limit'].map((pointer) => ({ pointer, code: 'blank', message: 'Is odd.' }))
    const { calls } = await gatewayOver(async () => {
      throw new CodedError('validation_failed', 'odd', { violations })
    })
    const [list, get, create, edit] = calls
    assertInvalid(await list(), ['query /id blank', 'query /clientId blank', 'query /limit blank'])
    assertInvalid(await get(), ['path /id blank', 'query /clientId blank', 'query /limit blank'])
    assertInvalid(await create(), ['body /id blank', 'body /clientId blank', 'body /limit blank'])
    assertInvalid(await edit(), ['path /id blank', 'body /clientId blank', 'body /limit blank'])
  })

  it('every call includes the caller, the request id and the deadline', async () => {
    const contexts: { actor: string; requestId: string; deadline: number; commitId?: string; requestHash?: string }[] =
      []
    const note = async (_request: unknown, context: never) => {
      contexts.push(context)
      throw new CodedError('unavailable', 'There is nothing.')
    }
    const contracts = { getContract: note, createContract: note }
    const gateway = await startGateway({ contracts } as never, { clock: () => 1_000, timeouts: { service: 500 } })
    atEnd(() => gateway.stop())
    await gateway.call('GET', '/contracts/7', undefined, { 'x-request-id': 'one' })
    for (let time = 0; time < 2; time++)
      await gateway.call('POST', '/contracts', aNewContract(), { 'x-request-id': 'two' })
    const [read, write, again] = contexts
    assert.deepEqual(read, { actor: TEST_KEY_ID, requestId: 'one', deadline: 1_475 })
    assert.deepEqual(
      { ...write, commitId: '' },
      {
        actor: TEST_KEY_ID,
        requestId: 'two',
        deadline: 1_475,
        commitId: '',
        isNewCommit: true,
      },
    )
    assert.ok(write?.commitId && write.commitId !== again?.commitId)
  })

  it('and all error handling fails too, the connection closes without Express’s default error page', async () => {
    const { logger, lines } = collectingLogger()
    const app = express().use(() => assert.fail(SECRET_TEXT))
    const timeouts = { service: 100, headers: 1_000, body: 1_000, stalled: 1_000 }
    const budget = createBudget()
    const server = createGatewayServer(app, { timeouts, maxConnections: 10, budget, logger })
    const port = await server.listen('127.0.0.1', 0)
    atEnd(() => server.stop({ drainMilliseconds: 0, graceMilliseconds: 0 }))
    assert.equal(await sendRaw(port, 'GET / HTTP/1.1\r\nHost: mint\r\n\r\n'), '')
    const [line, ...more] = lines
    assert.deepEqual([line?.msg, more], ['a request was left unanswered', []])
  })
})
