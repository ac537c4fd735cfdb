import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { asyncApiDocument } from '../../gateway/openapi/asyncapi.ts'
import type { Envelope } from '../../shared/events/envelope.ts'
import { toMessage } from '../../shared/events/topics.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { readFeed } from '../support/feed.ts'
import { overEachTransport } from '../support/gateway-fixture.ts'
import { aNewContract, create } from '../support/rest.ts'

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
const document = asyncApiDocument() as any

describe('/asyncapi.json', () => {
  it('has exactly the event types as messages of their topics', () => {
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const found = Object.entries<any>(document.channels).flatMap(([name, { address, messages }]) =>
      Object.entries<{ $ref: string }>(messages).map(([type, { $ref }]) => {
        assert.deepEqual([address, $ref], [name, `#/components/messages/${type}`])
        return `${address} ${type} ${document.components.messages[type].summary}`
      }),
    )
    const known = Object.entries(EVENT_TYPES).map(([type, { topic, about }]) => `${topic} ${type} ${about}`)
    assert.deepEqual(found.sort(), known.sort())
  })

  it('describes headers and values as docs/events.md does', () => {
    const [, page = ''] = readFileSync('docs/events.md', 'utf8').split('\n## Topics\n')
    const rowsUnder = (heading: string): (readonly [name: string, meaning: string])[] => {
      const [, section = ''] = page.split(`\n## ${heading}\n`)
      const rows = (section.split('\n## ')[0] ?? '').matchAll(/^\| `([^`]+)` \|(.*)/gm)
      return [...rows].map(([, name = '', meaning = '']) => [name, meaning])
    }
    const { headers, payload } = document.components.messages['mint.business.created.v1']
    const listed = rowsUnder('Headers').filter(([name]) => name !== 'content-type')
    const required = listed.filter(([, meaning]) => !meaning.includes('omitted')).map(([name]) => name)
    assert.deepEqual(headers.required.toSorted(), required.toSorted())
    for (const [name] of listed) assert.ok(Object.hasOwn(headers.properties, name), `${name} is known`)
    const fields = rowsUnder('Fields of the value').map(([name]) => name)
    assert.deepEqual(Object.keys(payload.properties), fields)
  })
})

overEachTransport('Events of the feed', (call) => {
  it('are valid by /asyncapi.json, which requires no key', async () => {
    const answer = await call('GET', '/asyncapi.json', undefined, { authorization: undefined })
    assert.deepEqual([answer.status, answer.body], [200, JSON.parse(JSON.stringify(document))])
    const { id } = await create(call, '/contracts', aNewContract())
    await create(call, '/businesses', { legalName: 'Acme Inc.', taxId: null })
    await call('PATCH', `/contracts/${id}`, { notes: 'edited' })
    await call('PUT', '/closing', { closedThrough: '2020-01-31', reason: 'Filed.' })
    await call('PATCH', '/firm', { name: 'Harbour' })
    const ajv = new Ajv2020({ strict: false, validateSchema: false, multipleOfPrecision: 8 })
    formats.default(ajv)
    const { events } = await readFeed(call)
    assert.equal(events.length, 5)
    for (const { data, time, ...attributes } of events) {
      const envelope: Envelope = { ...attributes, time: Date.parse(time), data: JSON.stringify(data) }
      const { topic, message } = toMessage(envelope)
      assert.ok(document.channels[topic].messages[attributes.type])
      const { headers, payload } = document.components.messages[attributes.type]
      const { components } = document
      const signed = { ...message.headers, 'mint-signature': 'kid:base64' }
      assert.ok(ajv.validate({ components, ...headers }, signed), ajv.errorsText())
      const value = JSON.parse(message.value)
      assert.deepEqual(Object.keys(payload.properties).sort(), Object.keys(value).sort())
      // Later versions may add fields.
      for (const one of [value, { ...value, added: true }])
        assert.ok(ajv.validate({ components, ...payload }, one), ajv.errorsText())
    }
  })
})
