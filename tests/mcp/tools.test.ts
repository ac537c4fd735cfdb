import assert from 'node:assert/strict'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Scope } from '../../shared/api-keys/scopes.ts'
import { configuredKey } from '../../shared/api-keys/serving/accepted-keys.ts'
import { atEnd } from '../support/cleanup.ts'
import { createClients } from '../support/clients.ts'
import { overEachTransport, TEST_KEY } from '../support/gateway-fixture.ts'
import { assertProblem } from '../support/problem-assertions.ts'
import { aNewContract, create } from '../support/rest.ts'
import { staticApiKeys } from '../support/static-api-keys.ts'

const key = (letter: string, scopes: readonly Scope[]) => {
  const secret = `mint_${letter.repeat(30)}`
  return { secret, configured: { ...configuredKey(secret), scopes } }
}
const reader = key('r', ['contracts:read', 'clients:read'])
const agent = key('p', ['contracts:read', 'contracts:propose'])
const writer = key('w', ['contracts:read', 'contracts:write'])
const nobody = key('n', [])
const apiKeys = staticApiKeys([
  { ...configuredKey(TEST_KEY), name: 'Bookkeeping' },
  ...[reader, agent, writer, nobody].map(({ configured }) => configured),
])
const [CURRENT, PREVIOUS] = ['2026-07-28', '2025-11-25']

overEachTransport(
  'Agents',
  (call, mint) => {
    async function connect(secret: string, revision = CURRENT) {
      const mode = revision === CURRENT ? { pin: CURRENT } : ('legacy' as const)
      const client = new Client({ name: 'suite', version: '1' }, { versionNegotiation: { mode } })
      const requestInit = { headers: { authorization: `Bearer ${secret}` } }
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${mint().port}/mcp`), { requestInit }),
      )
      atEnd(() => client.close())
      return {
        client,
        async use(name: string, args: object = {}) {
          const { content, isError = false } = await client.callTool({ name, arguments: { ...args } })
          const [first] = content
          assert.ok(content.length === 1 && first?.type === 'text')
          return { isError, text: first.text, json: isError ? undefined : JSON.parse(first.text) }
        },
      }
    }
    const toolsOf = async (secret: string) => {
      const { tools } = await (await connect(secret)).client.listTools()
      return tools.map(({ name }) => name).sort()
    }

    it('learn in three calls what a client was billed in a month, and what has changed since it was closed', async () => {
      await call('PATCH', '/firm', { currency: 'CAD' })
      const [clientId] = await createClients(call, 'Haddad Books', 'Haddad Books & Sons')
      const contract = { clientId, serviceDate: '2026-03-31', serviceFee: 19.99, taxPercent: 8.25 }
      const { id } = await create(call, '/contracts', aNewContract(contract))
      await create(call, '/contracts', aNewContract({ ...contract, serviceDate: '2026-04-01' }))
      await create(call, '/contracts', aNewContract({ ...contract, clientId: aNewContract().clientId }))
      await call('PUT', '/closing', { closedThrough: '2026-03-31', reason: 'March is filed.' })
      await new Promise((passed) => setTimeout(passed, 5))
      const reason = { 'closing-override': 'Hours%20were%20missing.' }
      assert.equal((await call('PATCH', `/contracts/${id}`, { serviceFee: 25 }, reason)).status, 200)
      await call('PUT', '/closing', { closedThrough: '2026-04-30', reason: 'April is filed.' })

      const { use } = await connect(reader.secret)
      const march = { clientName: 'haddad books', serviceDateFrom: '2026-03-01', serviceDateTo: '2026-03-31' }
      const billed = (await use('report_contracts', march)).json
      const closings = (await use('list_closing_history')).json
      const closing = closings.events.find(
        ({ closedThrough }: { closedThrough: string }) => closedThrough >= '2026-03-31',
      )
      const changes = (await use('list_contract_changes', { ...march, since: closing.at })).json

      assert.deepEqual([billed.sums.count, billed.sums.billed], [1, '27.06'])
      const [change] = changes.changes
      assert.equal(changes.total, 1)
      assert.deepEqual(
        [change.contractId, change.before.serviceFee, change.after.serviceFee, change.byName],
        [id, '19.99', '25', 'Bookkeeping'],
      )
      assert.equal(changes.difference.totalFeeWithTax, '5.423325')
      await call('PUT', '/closing', { closedThrough: null, reason: 'Reopened.' })
    })

    for (const revision of [CURRENT, PREVIOUS]) {
      it(`list their tools and use them in revision ${revision}`, async () => {
        const { client, use } = await connect(writer.secret, revision)
        assert.equal(client.getServerVersion()?.name, 'mint')
        assert.match(client.getInstructions() ?? '', /idempotencyKey.*never follow orders/)
        const { tools } = await client.listTools()
        const { inputSchema, annotations } = tools.find(({ name }) => name === 'create_contract') ?? assert.fail()
        assert.deepEqual(inputSchema.required?.toSorted(), [
          ...['clientId', 'idempotencyKey', 'serviceFee', 'serviceName', 'serviceType'],
        ])
        assert.deepEqual(annotations, {
          ...{ readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        })
        assert.doesNotMatch(JSON.stringify(tools), /"pattern"|"not"|URL|%2B/)
        const args = { ...aNewContract({ serviceFee: 19.99 }), idempotencyKey: `agent-${revision}` }
        const made = await use('create_contract', args)
        assert.equal(made.json.serviceFee, 19.99, made.text)
        assert.deepEqual(await use('create_contract', args), made)
        const edit = { id: made.json.id, notes: 'Seen.', expectedVersion: made.json.version }
        const edited = await use('edit_contract', { ...edit, idempotencyKey: `edit-${revision}` })
        assert.deepEqual([edited.json.version, edited.json.notes], [2, 'Seen.'])
        const history = (await use('list_contract_history', { id: made.json.id, limit: 100 })).json
        assert.deepEqual([history.total, history.events[1].by], [2, writer.configured.id])
      })
    }

    it('have only the tools that their scopes allow', async () => {
      const ofAll = ['get_firm']
      const reading = [
        ...['get_closing', 'get_contract', 'get_proposal', 'list_closing_history', 'list_contract_changes'],
        ...['list_contract_history', 'list_contract_lines', 'list_contracts', 'list_events', 'list_firm_history'],
        ...['list_proposals', 'report_contracts'],
      ]
      assert.deepEqual(await toolsOf(nobody.secret), ofAll)
      assert.deepEqual(await toolsOf(agent.secret), [...ofAll, ...reading, 'create_proposal'].sort())
      assert.deepEqual(await toolsOf(writer.secret), [...ofAll, ...reading, 'create_contract', 'edit_contract'].sort())
      for (const name of await toolsOf(TEST_KEY)) {
        assert.doesNotMatch(name, /key|webhook|status|dead|replay|accept|decline|csv|export|(set_closing|edit_firm)/)
      }
      const { use } = await connect(reader.secret)
      for (const args of [{ idempotencyKey: 'x' }, {}, { closingOverride: 5 }]) {
        const { isError, text } = await use('create_contract', args)
        assert.deepEqual([isError, text.slice(0, 19)], [true, 'insufficient_scope:'])
      }
    })

    it('get instructions with every refusal', async () => {
      const { use } = await connect(writer.secret)
      const refusal = async (name: string, args: object) => {
        const { isError, text } = await use(name, args)
        assert.ok(isError, text)
        return text
      }
      const contract = { ...aNewContract({ serviceDate: '2020-01-31' }), idempotencyKey: 'once' }
      assert.match(
        await refusal('create_contract', aNewContract()),
        /^validation_failed: [^\n]+\nidempotencyKey: Required, but missing\. Give a new text for each new change/,
      )
      assert.match(
        await refusal('create_contract', { ...contract, serviceFee: '19.99', taxPercent: 12345.678901, x: 1 }),
        /^validation_failed: [^\n]+\nserviceFee: A string is not accepted here\. Give a number[^\n]+\ntaxPercent: Out of range/,
      )
      assert.match(await refusal('get_contract', { id: 999_999 }), /^not_found: /)
      assert.match(await refusal('list_contracts', { limit: 101 }), /limit is at most 100/)
      assert.match(await refusal('list_contract_lines', { limit: 101 }), /limit is at most 100/)
      assert.match(await refusal('list_contracts', { since: '2026-01-01' }), /since: Unknown name/)
      assert.match(await refusal('delete_contract', {}), /no tool delete_contract/)
      assert.match(await refusal('report_contracts', { clientName: 'Haddad' }), /lacks the scope clients:read/)
      const both = { clientName: 'Haddad', clientId: contract.clientId }
      assert.match(await refusal('report_contracts', both), /Give clientId or clientName, not both/)
      const { json } = await use('create_contract', contract)
      assert.match(
        await refusal('create_contract', { ...contract, notes: 'x' }),
        /^idempotency_key_reused: This idempotencyKey was/,
      )
      const edit = { id: json.id, notes: 'x', expectedVersion: 7, idempotencyKey: 'twice' }
      assert.match(await refusal('edit_contract', edit), /^precondition_failed: /)
      await call('PUT', '/closing', { closedThrough: '2020-12-31', reason: 'Filed.' })
      const late = { ...edit, expectedVersion: 1 }
      assert.match(
        await refusal('edit_contract', late),
        /^period_closed: The books are closed through 2020-12-31.* a reason in closingOverride/,
      )
      assert.match(
        await refusal('edit_contract', { ...late, closingOverride: 'Late.' }),
        /lacks the scope closing:override/,
      )
    })

    it('are refused arguments that are not strings, instead of having them converted', async () => {
      await call('PUT', '/closing', { closedThrough: '2020-12-31', reason: 'Filed.' })
      const { use } = await connect(TEST_KEY)
      const late = aNewContract({ serviceDate: '2020-01-31' })
      for (const closingOverride of [null, true, 5, ['Late.'], {}, ' ']) {
        const { isError, text } = await use('create_contract', { ...late, closingOverride, idempotencyKey: 'late' })
        assert.ok(isError, text)
        assert.match(text, /^validation_failed: [^\n]+\nclosingOverride: .+ Give a string of 1 to 500 characters\.$/)
      }
      const given = { ...late, closingOverride: 'Late.', idempotencyKey: 'late' }
      assert.equal((await use('create_contract', given)).isError, false)
      const deep = Array.from({ length: 100 }).reduce<unknown>((inner) => [inner], 'x')
      for (const [name, argument, values] of [
        ['report_contracts', 'serviceType', [null, {}, true, [null], ['payroll', 'tax-filing']]],
        ['report_contracts', 'clientName', [null, 5, deep]],
        ['list_contracts', 'search', [null, {}, deep, ['payroll']]],
        ['report_contracts', 'groupBy', [null, 5, [5]]],
        ['list_contracts', 'unknown', [deep]],
        ['get_contract', 'id', [null, {}, deep, '\ud800']],
        ['edit_contract', 'expectedVersion', [null, '1', 0]],
        ['edit_contract', 'clientName', [deep]],
      ] as const) {
        for (const value of values) {
          const { isError, text } = await use(name, { id: 1, idempotencyKey: 'x', [argument]: value })
          assert.ok(isError, `${name} ${argument}: ${text}`)
          assert.match(text, new RegExp(`^validation_failed: [^\\n]+\n(.+\n)*${argument}: `))
        }
      }
    })

    it('get a list of candidates if a client’s name is ambiguous', async () => {
      await createClients(call, 'Zwei Eins', 'Zwei Zwei')
      const { use } = await connect(reader.secret)
      const { text } = await use('report_contracts', { clientName: 'Zwei' })
      assert.match(text, /2 clients match Zwei\. .*Zwei Eins \(clientId [0-9a-f-]{36}\)/)
      assert.match((await use('report_contracts', { clientName: 'Drei' })).text, /No client is called Drei/)
      assert.equal((await use('report_contracts', { clientName: 'zwei zwei', groupBy: ['month'] })).json.total, 0)
    })

    it('are never answered about a client whose name only contains the requested one, but learn that client’s id', async () => {
      const [clientId] = await createClients(call, 'Fünf Books & Sons')
      const { use } = await connect(reader.secret)
      const { isError, text } = await use('report_contracts', { clientName: 'fünf books' })
      assert.ok(isError, text)
      assert.match(
        text,
        new RegExp(`1 client matches fünf books\\. Give a clientId .*Fünf Books & Sons \\(clientId ${clientId}\\)`),
      )
      const whole = await use('report_contracts', { clientName: 'funf books & sons' })
      assert.equal(whole.json?.sums.count, 0, whole.text)
    })

    it('can’t write for a client by name, or move a contract to one', async () => {
      const [clientId] = await createClients(call, 'Sechs')
      const { id } = await create(call, '/contracts', aNewContract())
      const { use } = await connect(TEST_KEY)
      const { clientId: _, ...contract } = aNewContract()
      for (const [name, args] of [
        ['create_contract', contract],
        ['edit_contract', { id, notes: 'Seen.' }],
        ['create_proposal', { action: 'create', fields: { ...contract, clientId }, reason: 'r' }],
      ] as const) {
        const { isError, text } = await use(name, { ...args, clientName: 'Sechs', idempotencyKey: `by-name-${name}` })
        assert.ok(isError, text)
        assert.match(text, /\nclientName: Unknown name\. /)
        assert.doesNotMatch(text, /clientId: Unknown/)
      }
    })

    it('learn all arguments of a tool from an unknown one, and which is missing', async () => {
      const { use } = await connect(TEST_KEY)
      const { text } = await use('get_contract', { contractId: 1 })
      assert.match(
        text,
        /\nid: Required, but missing\. .*\ncontractId: Unknown name\. Remove it, or use one of: id, asOf\.$/,
      )
      const report = await use('report_contracts', { client: 'Haddad' })
      assert.match(report.text, /use one of: groupBy, clientId, .*, clientName\.$/)
      const edit = await use('edit_contract', { id: 1, version: 1, taxPercent: 5, idempotencyKey: 'x' })
      assert.match(edit.text, /use one of: id, .*, expectedVersion, closingOverride, idempotencyKey\.$/)
      const lists = [
        ['report_contracts', { groupBy: 'clientId, month' }],
        ['list_client_names', { ids: `${aNewContract().clientId}, ${aNewContract().clientId}` }],
        ['list_events', { types: 'mint.contract.created.v1, mint.contract.edited.v1' }],
      ] as const
      for (const [name, args] of lists) assert.match((await use(name, args)).text, /without spaces/)
    })

    it('find the client of an exact name even if many newer names contain it', async () => {
      const longer = Array.from({ length: 12 }, (_, index) => `Vier ${index}`)
      const [clientId] = await createClients(call, 'Vier', ...longer)
      await create(call, '/contracts', aNewContract({ clientId }))
      const { use } = await connect(reader.secret)
      const { json, text } = await use('report_contracts', { clientName: 'vier' })
      assert.equal(json?.sums.count, 1, text)
    })

    it('can make a proposal, see its preview, and learn the outcome', async () => {
      const { client, use } = await connect(agent.secret)
      const { tools } = await client.listTools()
      const tool = tools.find(({ name }) => name === 'create_proposal')
      assert.match(JSON.stringify(tool), /fields, of which clientId, serviceName, serviceType, serviceFee are required/)
      const fields = aNewContract({ serviceDate: '2031-01-01' })
      const args = { action: 'create', fields, reason: 'Not billed yet.', idempotencyKey: 'proposal' }
      const { json } = await use('create_proposal', args)
      assert.deepEqual([json.status, json.preview.months[0].after.totalFeeWithTax], ['open', '169.5'])
      await call('POST', `/proposals/${json.id}/decline`, { reason: 'Another month.' })
      const { status, declineReason } = (await use('get_proposal', { id: json.id })).json
      assert.deepEqual([status, declineReason], ['declined', 'Another month.'])
    })

    it('are refused an amount with more digits than a double can hold', async () => {
      const args = JSON.stringify({ ...aNewContract({ serviceFee: 0 }), idempotencyKey: 'digits' })
      const exact = args.replace('"serviceFee":0', '"serviceFee":600000000000.00031')
      const params = `{"name":"create_contract","arguments":${exact}}`
      const answer = await call('POST', '/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`, {
        ...{ accept: 'application/json, text/event-stream', 'mcp-protocol-version': PREVIOUS },
      })
      assert.match(answer.text, /serviceFee: Has more than 4 decimals/)
    })

    it('are told which parts of a message are wrong, in words', async () => {
      const accept = { accept: 'application/json, text/event-stream' }
      const post = async (method: string, params: object) => {
        const sent = { jsonrpc: '2.0', id: 7, method, params }
        return (await call('POST', '/mcp', sent, { ...accept, 'mcp-protocol-version': PREVIOUS })).body
      }
      const refused = (message: string) => ({ jsonrpc: '2.0', id: 7, error: { code: -32602, message } })
      const correct = (parts: string) =>
        refused(`Correct these parts of the message, as the Model Context Protocol has them: ${parts}.`)
      assert.deepEqual(
        await post('tools/call', { name: 5, arguments: [] }),
        correct(
          'params.name (Invalid input: expected string, received number), params.arguments (Invalid input: expected record, received array)',
        ),
      )
      assert.deepEqual(
        await post('tools/list', { cursor: 5 }),
        correct('params.cursor (Invalid input: expected string, received number)'),
      )
    })

    it('are subject to the rules for all requests: key, media type, size, origin, method', async () => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const accept = { accept: 'application/json, text/event-stream' }
      const post = (headers: object, sent: unknown = body) => call('POST', '/mcp', sent, { ...accept, ...headers })
      assertProblem(await post({ authorization: undefined }), 401, 'missing_api_key')
      assertProblem(await post({ 'content-type': 'text/plain' }), 415, 'unsupported_media_type')
      assertProblem(await post({}, 'x'.repeat(200_000)), 413, 'payload_too_large')
      assertProblem(await post({ 'idempotency-key': 'x' }), 400, 'validation_failed')
      assertProblem(await call('GET', '/mcp'), 405, 'method_not_allowed')
      assert.equal((await post({}, {})).body.error.code, -32600)
      assert.equal((await post({ accept: 'application/json' })).status, 406)
      assert.equal((await post({}, { ...body, method: 'nothing/known' })).body.error.code, -32601)
      const origin = (value: string) => ({
        ...{ method: 'POST', body: JSON.stringify(body) },
        headers: {
          ...{ ...accept, authorization: `Bearer ${TEST_KEY}`, 'content-type': 'application/json', origin: value },
        },
      })
      const at = `http://127.0.0.1:${mint().port}/mcp`
      assert.equal((await fetch(at, origin('http://evil.example'))).status, 403)
      assert.equal((await fetch(at, origin(`http://127.0.0.1:${mint().port}`))).status, 200)
    })

    it('get no stream that stays open', async () => {
      const { client } = await connect(reader.secret)
      await assert.rejects(client.listen({ toolsListChanged: true }), /limit|listen|support/i)
    })
  },
  { apiKeys },
)
