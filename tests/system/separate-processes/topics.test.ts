import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { type PublicKey, SIGNATURE, signingKeyOf, verifierWith } from '../../../shared/events/signature.ts'
import { atEnd } from '../../support/cleanup.ts'
import { bothEngines, describeOn } from '../../support/engines.ts'
import { connected, firstMessages, plainKafka } from '../../support/kafka-topics.ts'
import { present } from '../../support/requests.ts'
import { aNewContract } from '../../support/rest.ts'
import { newSeparateMint } from '../../support/separate-processes.ts'
import { waitFor } from '../../support/wait-for.ts'

const POLLING = { timeout: 60_000, every: 100 }
const brokers = process.env.KAFKA_BROKERS ?? ''

describeOn(bothEngines(), 'The topics of separate processes', (mongoUrl) => {
  it('have every change of contracts, the closing and the firm, signed with a key that the gateway serves', async () => {
    const mint = await newSeparateMint(mongoUrl)
    const { call, gateway } = await mint.startAll()
    assert.equal((await call('POST', '/contracts', aNewContract())).status, 201)
    const edited = await call('PATCH', '/contracts/1', { serviceFee: 12 })
    assert.equal((await call('PUT', '/closing', { closedThrough: '2020-01-31', reason: 'Filed' })).status, 200)
    assert.equal((await call('PATCH', '/firm', { name: 'Cabinet Émile' })).status, 200)
    const messages = await firstMessages(`${mint.namespace}.mint.contracts.v1`, 4)
    assert.deepEqual(
      messages.map(({ headers: { ce_id, ce_type, ce_recordversion, ce_changed }, key }) => {
        return [ce_id, ce_type, key, ce_recordversion, ce_changed]
      }),
      [
        ['mint/contracts/1', 'mint.contract.created.v1', '1', '1', present(messages[0]).headers.ce_changed],
        ['mint/contracts/2', 'mint.contract.edited.v1', '1', '2', present(messages[1]).headers.ce_changed],
        ['mint/contracts/3', 'mint.closing.changed.v1', 'contracts', '1', 'closedThrough,reason,at,by,byName'],
        ['mint/contracts/4', 'mint.firm.edited.v1', 'firm', '1', 'name,updatedAt'],
      ],
    )
    assert.deepEqual(JSON.parse(present(messages[1]).value), { ...edited.body, version: 2 })
    const served = await fetch(`http://${await gateway.ready()}/.well-known/mint-keys.json`)
    const { keys } = (await served.json()) as { keys: readonly PublicKey[] }
    for (const message of messages) {
      const key = keys.find(({ kid }) => kid === signingKeyOf(message))
      assert.ok(await verifierWith(present(key))(message), message.headers[SIGNATURE])
    }
    const topic = `${mint.namespace}.mint.contracts.v1`
    const producer = await connected(plainKafka(brokers).producer())
    await producer.send({ topic, messages: [{ key: 'forged', value: '{}', headers: { ce_id: 'mint/contracts/5' } }] })
    const environment = {
      KAFKA_BROKERS: brokers,
      TOPICS: topic,
      GROUP: topic,
      MINT_URL: `http://${await gateway.ready()}`,
    }
    const consumer = spawn(process.execPath, ['docs/examples/consumer.ts'], { env: { ...process.env, ...environment } })
    atEnd(() => consumer.kill('SIGKILL'))
    let [printed, refused] = ['', '']
    consumer.stdout.on('data', (text) => (printed += text))
    consumer.stderr.on('data', (text) => (refused += text))
    const lines = () => printed.trim().split('\n')
    const hasRead = () => refused.includes('not from Mint: forged') && lines().length >= messages.length
    await waitFor(hasRead, { ...POLLING, what: 'the example to read all' })
    assert.deepEqual(
      // Sorted by id, as each partition is read separately.
      lines()
        .toSorted()
        .map((line) => line.split(' ').slice(0, 3)),
      messages.map(({ headers: { ce_id, ce_type }, key }) => [ce_id, ce_type, key]),
    )
  }).timeout(120_000)
})
