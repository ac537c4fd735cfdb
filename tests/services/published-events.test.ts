import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { isFromMint, type ReceivedMessage } from '../../docs/examples/verify-message.ts'
import type { BusinessEvent } from '../../services/businesses/business/events.ts'
import type { Business } from '../../services/businesses/business/evolve.ts'
import { readBusinessMessage } from '../../services/contracts/client/business-message.ts'
import { fromKafkaMessage, toKafkaMessage } from '../../shared/adapters/kafka/message-form.ts'
import type { AuthoredEvent, Position } from '../../shared/event-sourcing/event.ts'
import type { TopicMessage } from '../../shared/event-sourcing/ports/topic.ts'
import { newKeyPair, SIGNATURE, signerWith, verifierWith } from '../../shared/events/signature.ts'
import { toMessage } from '../../shared/events/topics.ts'
import { EVENT_TYPES } from '../../shared/events/types.ts'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { BUSINESSES_TOPIC, topicIn } from '../../shared/runtime/settings/topic-names.ts'
import { describeOn, pythonWithCryptography } from '../support/engines.ts'
import { envelopeAfter } from '../support/envelopes.ts'
import { forAllAsync } from '../support/for-all.ts'

const [, page = ''] = readFileSync('docs/events.md', 'utf8').split('\n## Topics\n')

/** Cells of the table under a heading, without its two header lines. */
function tableUnder(heading: string): string[][] {
  const [, section = ''] = page.split(`\n## ${heading}\n`)
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const codesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, code = '']) => code)
const namesUnder = (heading: string): string[] => tableUnder(heading).flatMap(([name]) => codesIn(name))

const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(page)?.[1] ?? '') as {
  key: string
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: whatever the page says
  value: any
}

describe('docs/events.md', () => {
  it('names the topic, without and with a namespace', () => {
    const [, named = ''] = /^\| topic \| (.*) \|$/m.exec(page) ?? []
    const codes = codesIn(named)
    assert.ok(codes.includes(BUSINESSES_TOPIC))
    assert.ok(codes.includes(topicIn('<NAMESPACE>', BUSINESSES_TOPIC)))
  })

  it('names exactly the types that are published', () => {
    const types = Object.entries(EVENT_TYPES).filter(([, { part }]) => part === 'businesses')
    assert.deepEqual(
      namesUnder('Events'),
      types.map(([name]) => name),
    )
  })

  it('names every header and every field, in their order', async () => {
    const sign = signerWith(newKeyPair())
    const traced = {
      ...example,
      headers: { ...example.headers, ce_traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
    }
    const { headers, value } = toKafkaMessage(await sign(await messageOf(traced)))
    assert.deepEqual(namesUnder('Headers'), Object.keys(headers ?? {}))
    assert.deepEqual(namesUnder('Fields of the value'), Object.keys(JSON.parse(String(value))))
  })

  it('gives each field the type that it has in every message', async () => {
    const types = new Map(tableUnder('Fields of the value').map(([name, type = '']) => [codesIn(name)[0], type]))
    await forAllAsync([businesses, fc.integer({ min: 2, max: 1_000 })], async (business, version) => {
      const value = JSON.parse((await envelopeAfter(anEvent({ version }), business)).data)
      for (const [name, field] of Object.entries(value)) assert.match(types.get(name) ?? '', typeOf(field), name)
    })
  })

  it('lists the allowed values of fields', () => {
    const meanings = new Map(tableUnder('Fields of the value').map(([name, , meaning]) => [codesIn(name)[0], meaning]))
    assert.deepEqual(codesIn(meanings.get('ownershipType')), businessFields.ownershipType.shown.options)
    assert.deepEqual(codesIn(meanings.get('industryType')), businessFields.industryType.shown.options)
  })

  it('shows a signature that the key beside it verifies, as the example does', async () => {
    const { received, keys, forged } = signedExample()
    assert.equal(isFromMint(received, keys), true)
    assert.equal(await verifierWith(keys[0])(fromKafkaMessage(received)), true)
    for (const one of forged) assert.equal(isFromMint(one, keys), false)
    assert.equal(isFromMint(received, [{ ...keys[0], kid: 'another' }]), false)
  })

  it('shows a message exactly as published, which Mint’s own consumer understands', async () => {
    const { key, headers, value } = toKafkaMessage(await messageOf(example))
    const { [SIGNATURE]: signature, ...others } = example.headers
    assert.deepEqual({ key, headers, value: JSON.parse(String(value)) }, { ...example, headers: others })
    const received = fromKafkaMessage({ ...asReceived(example), value: Buffer.from(JSON.stringify(example.value)) })
    const read = readBusinessMessage(received)
    assert.equal(read.type, 'understood')
    assert.equal(read.type === 'understood' && read.business.version, example.value.version)
  })
})

describeOn(pythonWithCryptography(), 'docs/examples/verify_message.py', (python) => {
  it('verifies the message that docs/events.md shows, and nothing else', () => {
    const { received, keys, forged } = signedExample()
    const base64 = (bytes: Buffer | null) => bytes?.toString('base64') ?? null
    const asText = ({ key, headers, value }: ReceivedMessage) => ({
      key: base64(key),
      headers: Object.fromEntries(Object.entries(headers).map(([name, bytes]) => [name, base64(bytes)])),
      value: base64(value),
    })
    const input = JSON.stringify({ messages: [received, ...forged].map(asText), keys })
    const answers = execFileSync(python, ['-c', VERIFY_IN_PYTHON], { cwd: 'docs/examples', input, encoding: 'utf8' })
    assert.deepEqual(JSON.parse(answers), [true, ...forged.map(() => false)])
  })
})

const VERIFY_IN_PYTHON = `
import json, sys
from base64 import b64decode
sys.dont_write_bytecode = True
from verify_message import is_from_mint
given = json.load(sys.stdin)
decoded = lambda text: None if text is None else b64decode(text)
print(json.dumps([
    is_from_mint(decoded(m["key"]), {n: decoded(h) for n, h in m["headers"].items()}, decoded(m["value"]), given["keys"])
    for m in given["messages"]
]))`

/** The example with its key, and messages forged from it. */
function signedExample() {
  const [, , jwk = ''] = /```json\n([\s\S]*?)```[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? []
  const { key, headers } = asReceived(example)
  const value = Buffer.from(JSON.stringify(example.value))
  const received = { key, headers, value }
  const kid = String(headers[SIGNATURE]).split(':')[0]
  const forged: ReceivedMessage[] = [
    { ...received, key: value },
    { ...received, value: key },
    { ...received, headers: {} },
    { ...received, headers: { ...headers, ce_id: Buffer.from('another') } },
    { ...received, headers: { ...headers, [SIGNATURE]: Buffer.from(`${kid}:short`) } },
    { ...received, headers: { [SIGNATURE]: headers[SIGNATURE] ?? Buffer.of() } },
    { ...received, key: null },
    { ...received, value: null },
    { ...received, headers: { ...headers, ce_id: null } },
    { ...received, headers: { ...headers, [SIGNATURE]: null } },
    { ...received, headers: { ...headers, [SIGNATURE]: Buffer.from('ff', 'hex') } },
  ]
  return { received, keys: [JSON.parse(jwk)], forged }
}

/** The message that the mapper makes from the example's event. */
async function messageOf({ headers, value }: typeof example): Promise<TopicMessage> {
  const { version, createdAt, updatedAt, ...fields } = value
  const position = Number(headers.ce_id?.split('/').at(-1)) as Position
  const at = Date.parse(headers.ce_time ?? '')
  const business: Business = { ...fields, createdAt: Date.parse(createdAt), updatedAt: Date.parse(updatedAt) }
  const { ce_actor: by = '', ce_actorname: name = null, ce_traceparent: traceparent } = headers
  const data = { phone: fields.phone }
  const event = anEvent({ position, version, at, by, data, ...(traceparent !== undefined && { traceparent }) })
  return toMessage(await envelopeAfter(event, business, async () => name)).message
}

function asReceived({ key, headers }: typeof example) {
  const entries = Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)] as const)
  return { key: Buffer.from(key), headers: Object.fromEntries(entries) }
}

function anEvent(changes: Partial<AuthoredEvent>): AuthoredEvent {
  const type: BusinessEvent['type'] = 'BusinessEdited.v1'
  const stream = { category: 'business', id: example.key }
  return { position: 1 as Position, stream, version: 1, type, data: {}, at: 0, by: 'test', ...changes }
}

const time = fc.integer({ min: 0, max: 4_000_000_000_000 })
const businesses: fc.Arbitrary<Business> = fc.record({
  id: fc.uuid(),
  clientId: fc.uuid(),
  legalName: fc.string(),
  operatedAs: fc.string(),
  businessNumber: fc.string(),
  taxId: fc.option(fc.string()),
  phone: fc.string(),
  email: fc.string(),
  ownershipType: fc.constantFrom(...businessFields.ownershipType.shown.options),
  industryType: fc.constantFrom(...businessFields.industryType.shown.options),
  incorporationDate: fc.constantFrom('', '2019-04-01'),
  createdAt: time,
  updatedAt: time,
})

/** How the page names the type of such a value. */
function typeOf(field: unknown): RegExp {
  if (field === null) return /\bor null\b/
  return Number.isInteger(field) ? /^number, integer$/ : new RegExp(`^${typeof field}\\b`)
}
