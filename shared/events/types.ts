import type { Scope } from '../api-keys/scopes.ts'
import { CodedError } from '../calls/errors.ts'
import { invalidRequest } from '../fields/check.ts'
import type { ViolationCode } from '../fields/rule.ts'
import type { Kind, ServicePart } from '../kinds/kind.ts'
import { KINDS, type KindName } from '../kinds/registry.ts'
import { topicOfKind } from '../runtime/settings/topic-names.ts'

/** Everything that all parts of Mint need to know about a type of event. */
export interface EventType {
  /** The service whose log has the events. */
  readonly part: ServicePart
  /** The topic that they are published on. */
  readonly topic: string
  /** The scope for reading the records, and so the events. */
  readonly scope: Scope
  /** Describes the event in documents. */
  readonly about: string
}

/** The types of a record's first event and of later ones. */
export type TypesOfRecord = readonly [first: string, later: string]

/** The types of a kind's events. */
export const typesOfKind = (one: KindName): TypesOfRecord => [`mint.${one}.created.v1`, `mint.${one}.edited.v1`]

export const CLOSING_CHANGED = 'mint.closing.changed.v1'
export const FIRM_EDITED = 'mint.firm.edited.v1'

const ofKinds = (Object.keys(KINDS) as KindName[]).flatMap((one): [string, EventType][] => {
  const { part, many }: Kind = KINDS[one]
  const read = { part, topic: topicOfKind(many), scope: `${many}:read` as Scope }
  const [created, edited] = typesOfKind(one)
  return [
    [created, { ...read, about: `A ${one} was created.` }],
    [edited, { ...read, about: `Fields of a ${one} were changed.` }],
  ]
})

const ofContracts = { part: 'contracts', topic: topicOfKind('contracts'), scope: 'contracts:read' } as const

/** Every type of event that Mint publishes. */
export const EVENT_TYPES: Readonly<Record<string, EventType>> = {
  ...Object.fromEntries(ofKinds),
  [CLOSING_CHANGED]: { ...ofContracts, about: 'The books were closed up to another day, or reopened.' },
  [FIRM_EDITED]: { ...ofContracts, about: 'Fields of the firm’s record were changed.' },
}

/**
 * The requested types or, if there are none, all that these scopes may read. Throws validation_failed and
 * insufficient_scope.
 */
export function readableTypes(requested: readonly string[], scopes: readonly string[]): readonly string[] {
  const unknown = requested.find((type) => !Object.hasOwn(EVENT_TYPES, type))
  if (unknown !== undefined) {
    const message = `There is no event of this type. Give some of these, separated by commas without spaces: ${Object.keys(EVENT_TYPES).join(', ')}.`
    throw invalidRequest([{ pointer: '/types', code: 'not_allowed' satisfies ViolationCode, message }])
  }
  const missing = requested.map((type) => EVENT_TYPES[type]?.scope).find((scope) => scope && !scopes.includes(scope))
  if (missing !== undefined) {
    const message = `Some of \`types\` need the scope ${missing}. Use a key that has it, or leave them out.`
    throw new CodedError('insufficient_scope', message)
  }
  const allowed = Object.entries(EVENT_TYPES).filter(([, { scope }]) => scopes.includes(scope))
  const types = requested.length > 0 ? requested : allowed.map(([type]) => type)
  if (types.length > 0) return types
  throw new CodedError('insufficient_scope', 'This API key can read no records, and so no events. Use one that can.')
}
