import assert from 'node:assert/strict'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { createBudget } from '../../shared/budget/budget.ts'
import { CodedError } from '../../shared/calls/errors.ts'
import { atEnd } from '../support/cleanup.ts'
import { emptyServices } from '../support/empty-services.ts'
import { startGateway, TEST_KEY } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

describe('The limits on agents', () => {
  const HEADERS = { accept: 'application/json, text/event-stream' }
  const message = (name: string, args: object = {}) => {
    return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  }

  async function gatewayWith(services: object, options = {}) {
    const apiKeys = staticApiKeys([configuredKey(TEST_KEY)])
    const gateway = await startGateway({ ...emptyServices, ...services }, { apiKeys, ...options })
    atEnd(() => gateway.stop())
    return (name: string, args?: object) => gateway.call('POST', '/mcp', message(name, args), HEADERS)
  }

  it('are the same as for requests: each message counts once', async () => {
    const use = await gatewayWith({}, { rateLimitPerSecond: 3 })
    const answers = await Promise.all(Array.from({ length: 4 }, () => use('list_contracts')))
    const [refused] = answers.filter(({ status }) => status !== 200)
    assert.ok(refused)
    assertProblem(refused, 429, 'rate_limited')
    assert.equal(answers.filter(({ status }) => status === 200).length, 3)
  })

  it('include how many values a message has, wide or deep, since each is checked several times', async () => {
    const use = await gatewayWith({})
    const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${index}`, 1]))
    const deep = JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)
    for (const args of [wide, { notes: deep }]) {
      assertProblem(await use('list_contracts', args), 413, 'payload_too_large')
    }
    assert.equal((await use('list_contracts', Object.fromEntries(Object.entries(wide).slice(0, 900)))).status, 200)
  })

  it('report that nothing was written, or that the outcome is unknown, when a service is unavailable', async () => {
    const away = (code: 'unavailable' | 'outcome_unknown') => async () => {
      throw new CodedError(code, 'away')
    }
    const contracts = { ...emptyServices.contracts, getContract: away('unavailable') }
    const use = await gatewayWith({ contracts: { ...contracts, createContract: away('outcome_unknown') } })
    assert.match((await use('get_contract', { id: 7 })).text, /unavailable: .*nothing was written/)
    const contract = { clientId: '11111111-1111-1111-1111-111111111111', serviceName: 'x', serviceType: 'y' }
    const { text } = await use('create_contract', { ...contract, serviceFee: 1, idempotencyKey: 'x' })
    assert.match(text, /outcome_unknown: It is not known whether this was written\. Send it again with the same/)
  })

  it('allow a history in full or not at all, within the memory share of their key', async () => {
    const notes = 'x'.repeat(10_000)
    const event = { version: 1, type: 'ContractEdited.v1', at: 0, by: 'x', data: { notes }, before: { notes } }
    const listContractHistory = async ({ limit }: { limit: number }) => {
      return { events: Array.from({ length: limit }, () => event), total: 100 }
    }
    const services = { contracts: { ...emptyServices.contracts, listContractHistory } }
    const use = await gatewayWith(services, { budget: createBudget(1) })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => use('list_contract_history', { id: 1, limit: 100 })),
    )
    const texts = answers.map(({ status, body }) => (status === 200 ? body.result.content[0].text : body.code))
    const whole = texts.filter((text) => text.startsWith('{"events"'))
    assert.ok(whole.length > 0)
    for (const text of whole) assert.equal(JSON.parse(text).events.length, 100)
    for (const text of texts) if (!whole.includes(text)) assert.match(text, /Ask for less|rate_limited/)
  })
})
