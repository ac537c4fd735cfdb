import { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import { CLOSING_CHANGED, EVENT_TYPES, FIRM_EDITED, typesOfKind } from '../../shared/events/types.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import { closingShape } from '../records/closing-record.ts'
import { eventShape } from '../records/feed-page.ts'
import { firmShape } from '../records/firm-record.ts'
import { schemasOf } from '../records/kind-record.ts'
import { collectSchemas, type Json } from './component-schemas.ts'

/** The records that events of each type are about. */
function shapesByType(): ReadonlyMap<string, z.ZodObject> {
  const ofKinds = (Object.keys(KINDS) as KindName[]).flatMap((one) => {
    const { shape } = schemasOf(one)
    return typesOfKind(one).map((type) => [type, shape] as const)
  })
  return new Map<string, z.ZodObject>([...ofKinds, [CLOSING_CHANGED, closingShape], [FIRM_EDITED, firmShape]])
}

/** The topics and their messages, as AsyncAPI describes them. Generated from the shapes that REST shows. */
export function asyncApiDocument(): Json {
  const schemas = collectSchemas()
  const headers = headersOf(schemas.ofOutput(eventShape.omit({ data: true, datacontenttype: true })))
  const messages = [...shapesByType()].map(([type, shape]) => {
    // Later versions may add fields: whoever validates messages with this document must accept those.
    const payload = schemas.ofOutput(shape.extend({ version: z.int().min(1) }).loose())
    return [type, { name: type, summary: EVENT_TYPES[type]?.about, headers, payload }] as const
  })
  const topics = [...Map.groupBy(Object.entries(EVENT_TYPES), ([, { topic }]) => topic)]
  const referring = (types: readonly (readonly [type: string, unknown])[]) =>
    Object.fromEntries(types.map(([type]) => [type, { $ref: `#/components/messages/${type}` }]))
  return {
    asyncapi: '3.0.0',
    info: { title: 'Mint', version: packageJson.version, description: ABOUT, license: { name: packageJson.license } },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      topics.map(([topic, types]) => [topic, { address: topic, messages: referring(types) }]),
    ),
    operations: Object.fromEntries(
      topics.map(([topic]) => [topic, { action: 'send', channel: { $ref: `#/channels/${topic}` } }]),
    ),
    components: { messages: Object.fromEntries(messages), schemas: schemas.withId() },
  }
}

const ABOUT =
  'What Mint publishes on Kafka: CloudEvents 1.0 in binary mode, keyed by the record’s id, each signed. With a `NAMESPACE` other than `mint`, topics begin with it. `GET /events` has the same over REST.'

/** The attributes of an event as the headers of a message. */
function headersOf({ properties, required }: Json): Json {
  const attributes = Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => {
    const text = schema.type === 'string' ? schema : { type: 'string' }
    return [`ce_${name}`, { ...text, ...(description !== undefined && { description }) }] as const
  })
  const signature = { type: 'string', description: 'The id of a key, a colon, and an Ed25519 signature in base64.' }
  return {
    type: 'object',
    properties: { ...Object.fromEntries(attributes), 'mint-signature': signature },
    required: [...(required as readonly string[]).map((name) => `ce_${name}`), 'mint-signature'],
  }
}
