import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createBudget, type MemoryBudget } from '../../shared/budget/budget.ts'
import type { Share } from '../../shared/budget/pool.ts'
import { StoreUnavailable } from '../../shared/event-sourcing/ports/event-store.ts'
import type { Contract, ListContractsRequest } from '../../shared/gen/mint/contracts/v1/contracts.ts'
import { accessServer } from '../support/access-server.ts'
import { atEnd } from '../support/cleanup.ts'
import { collectingLogger } from '../support/collecting-logger.ts'
import { block } from '../support/count-turns.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway, TEST_KEY, TEST_KEY_ID } from '../support/gateway-fixture.ts'
import { withKey } from '../support/grpc-access.ts'
import { grpcCall } from '../support/grpc-call.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { EMPTY_MESSAGE, http2Connection, openCall } from '../support/raw-grpc.ts'
import { beginRaw, parseAnswer } from '../support/raw-http.ts'
import { aNewContract } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'
import { waitFor } from '../support/wait-for.ts'

async function turns(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) await new Promise((resolve) => setImmediate(resolve))
}

/** The suite's key, until it is revoked. */
function revocableKey() {
  const keys = staticApiKeys([configuredKey(TEST_KEY)])
  const state = { isRevoked: false, asked: 0 }
  const known = (sha256: string) => {
    state.asked++
    return state.isRevoked ? undefined : keys.known(sha256)
  }
  return { state, apiKeys: { ...keys, known, find: async (sha256: string) => known(sha256) } }
}

/** A budget in which every request must wait; its key is revoked meanwhile. */
function fullUntilRevoked(state: { isRevoked: boolean }): MemoryBudget {
  const budget = createBudget()
  const ofKey = (id: string): Share => {
    const share = budget.ofKey(id)
    return {
      ...share,
      async wait(...given) {
        state.isRevoked = true
        return await share.wait(...given)
      },
    }
  }
  return { ...budget, ofKey }
}

describe('A key that is revoked in the middle of a request', () => {
  for (const [what, path, type, body] of [
    ['a record', '/contracts', 'application/json', JSON.stringify(aNewContract())],
    ['a file', '/contracts.csv', 'text/csv', 'clientId,serviceName,serviceType,serviceFee\n'],
  ] as const) {
    it(`writes nothing if the body with ${what} arrives afterwards`, async () => {
      const { state, apiKeys } = revocableKey()
      const { port } = atEnd.stop(await startGateway(emptyServices, { apiKeys }))
      const headers = {
        ...{ host: 'mint', connection: 'close', authorization: `Bearer ${TEST_KEY}`, 'idempotency-key': 'once' },
        ...{ 'content-type': type, 'content-length': body.length },
      }
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
      const socket = atEnd.destroy(await beginRaw(port, `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`))
      await waitFor(() => state.asked > 0, { what: 'the key to be accepted' })
      state.isRevoked = true
      socket.write(body)
      const answer = parseAnswer(Buffer.concat(await socket.toArray()).toString())
      assert.deepEqual([answer.status, answer.body.code], [401, 'invalid_api_key'])
    })
  }

  it('writes nothing if the body has waited for its turn meanwhile', async () => {
    const { state, apiKeys } = revocableKey()
    const known = (sha256: string) => {
      const key = apiKeys.known(sha256)
      // Accepted, after it was asked whose work the request is: then its work costs so much that it waits for fifty turns.
      if (state.asked === 2) {
        block(100)
        void turns(30).then(() => {
          state.isRevoked = true
        })
      }
      return key
    }
    const { call } = atEnd.stop(await startGateway(emptyServices, { apiKeys: { ...apiKeys, known } }))
    const answer = await call('POST', '/contracts', aNewContract())
    assertProblem(answer, 401, 'invalid_api_key')
  })

  it('writes nothing if its request has waited for memory meanwhile', async () => {
    const { state, apiKeys } = revocableKey()
    const { call } = atEnd.stop(await startGateway(emptyServices, { apiKeys, budget: fullUntilRevoked(state) }))
    assertProblem(await call('DELETE', `/api-keys/${TEST_KEY_ID}`), 401, 'invalid_api_key')
    state.isRevoked = false
    assertProblem(await call('GET', '/contracts'), 401, 'invalid_api_key')
  })

  it('makes no call over gRPC that has waited for memory meanwhile', async () => {
    const { state, apiKeys } = revocableKey()
    const { address, seen } = await accessServer({ apiKeys }, { budget: fullUntilRevoked(state) })
    const { code } = await grpcCall(address, '/mint.contracts.v1.ContractsService/CreateContract', withKey())
    assert.deepEqual([code, seen], ['UNAUTHENTICATED', []])
  })

  for (const [what, isRevoked, status, code] of [
    ['the key is revoked', true, 401, 'invalid_api_key'],
    ['the keys can’t be read any more', false, 503, 'outcome_unknown'],
  ] as const) {
    it(`writes no further row of a long file once ${what}`, async () => {
      const { state, apiKeys } = revocableKey()
      let [written, areAway] = [0, false]
      const find = async (sha256: string) => {
        if (areAway) throw new StoreUnavailable('away')
        return await apiKeys.find(sha256)
      }
      const known = (sha256: string) => (areAway ? undefined : apiKeys.known(sha256))
      const createBusiness = async () => {
        if (++written === 3) [state.isRevoked, areAway] = [isRevoked, !isRevoked]
        return { business: undefined, replayed: false }
      }
      const services = { ...emptyServices, businesses: { ...emptyServices.businesses, createBusiness } }
      const { call } = atEnd.stop(await startGateway(services, { apiKeys: { ...apiKeys, known, find } }))
      const file = ['legalName', ...Array.from({ length: 2_000 }, (_, index) => `Business ${index}`)].join('\n')
      const answer = await call('POST', '/businesses.csv', file, {
        'content-type': 'text/csv',
        'idempotency-key': 'one',
      })
      assertProblem(answer, status, code)
      assert.ok(written < 500, `${written} rows`)
      assert.equal(answer.body.written, isRevoked ? written : undefined)
    })
  }

  it('gets no more of a long export', async () => {
    const { state, apiKeys } = revocableKey()
    const { logger, lines } = collectingLogger()
    const listContracts = async ({ limit, after = 1_000_000_000 }: ListContractsRequest) => ({
      contracts: Array.from({ length: limit }, (_, index) => ({ ...CONTRACT, id: after - 1 - index })),
      total: 0,
    })
    const contracts = { ...emptyServices.contracts, listContracts }
    const { port } = atEnd.stop(await startGateway({ ...emptyServices, contracts }, { apiKeys, logger }))
    const asking = get({ port, path: '/contracts.csv', headers: withKey() })
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    atEnd(() => response.destroy())
    response.on('error', () => undefined).resume()
    state.isRevoked = true
    await waitFor(() => response.destroyed, { what: 'the end of the answer' })
    assert.deepEqual([response.complete, lines], [false, []])
  })

  for (const method of ['contracts.v1.ContractsService/CreateContract', 'events.v1.EventsService/FollowEvents']) {
    it(`makes no call of ${method} over gRPC whose message arrives afterwards`, async () => {
      const { state, apiKeys } = revocableKey()
      const { address, seen } = await accessServer({ apiKeys })
      const stream = openCall(await http2Connection(address), `/mint.${method}`, withKey())
      await waitFor(() => state.asked > 0, { what: 'the key to be accepted' })
      state.isRevoked = true
      stream.end(EMPTY_MESSAGE)
      const [answer] = await once(stream, 'response')
      assert.deepEqual([answer['grpc-status'], seen], ['16', []])
    })
  }
})

const CONTRACT: Omit<Contract, 'id'> = {
  ...{ clientId: '11111111-1111-1111-1111-111111111111', serviceName: 'Annual accounts', serviceType: 'bookkeeping' },
  ...{ serviceFee: '150', taxPercent: '13', totalFeeWithTax: '169.5', serviceDate: '2026-01-31', notes: '' },
  ...{ createdAt: 0, updatedAt: 0, version: 1 },
}
