import type { Scope } from '../api-keys/scopes.ts'
import { CodedError } from '../calls/errors.ts'
import { invalidRequest } from '../fields/check.ts'
import type { ViolationCode } from '../fields/rule.ts'
import type { Kind, ServicePart } from '../kinds/kind.ts'
import { KINDS, type KindName } from '../kinds/registry.ts'
import { topicOfKind } from '../runtime/settings/topic-names.ts'

/** What is the same in all places that know a type of event. */
export interface EventType {
  /** The service whose log has the events. */
  readonly part: ServicePart
  /** The topic that they are published on. */
  readonly topic: string
  /** What it takes to read the records, and so the events. */
  readonly scope: Scope
  /** What happened, for documents. */
  readonly about: string
}

/** The types of a record’s first event, and of all others. */
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

const HOW_TO_READ = 'Use a key that has it, or leave them out.'

/**
 * The types of the events that somebody gets who has these scopes: those asked for, or, if none is, all that the scopes
 * allow. Throws validation_failed and insufficient_scope.
 */
export function readableTypes(asked: readonly string[], scopes: readonly string[]): readonly string[] {
  const unknown = asked.find((type) => !Object.hasOwn(EVENT_TYPES, type))
  if (unknown !== undefined) {
    const message = `There is no event of this type. Give some of: ${Object.keys(EVENT_TYPES).join(', ')}.`
    throw invalidRequest([{ pointer: '/types', code: 'not_allowed' satisfies ViolationCode, message }])
  }
  const missing = asked.map((type) => EVENT_TYPES[type]?.scope).find((scope) => scope && !scopes.includes(scope))
  if (missing !== undefined)
    throw new CodedError('insufficient_scope', `Some of \`types\` need the scope ${missing}. ${HOW_TO_READ}`)
  const allowed = Object.entries(EVENT_TYPES).filter(([, { scope }]) => scopes.includes(scope))
  const types = asked.length > 0 ? asked : allowed.map(([type]) => type)
  if (types.length > 0) return types
  throw new CodedError('insufficient_scope', 'This API key can read no records, and so no events.')
}
