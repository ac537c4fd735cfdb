import { z } from 'zod'
import { type BusinessEvent, businessDefaults } from '../../services/businesses/business/events.ts'
import type { ClientEvent } from '../../services/contracts/client/events.ts'
import type { ClosingEvent } from '../../services/contracts/closing/events.ts'
import { CLOSING } from '../../services/contracts/closing/view.ts'
import { type ContractEvent, contractDefaults } from '../../services/contracts/contract/events.ts'
import type { FirmEvent } from '../../services/contracts/firm/events.ts'
import { FIRM } from '../../services/contracts/firm/view.ts'
import type { ProposalEvent } from '../../services/contracts/proposal/events.ts'
import type { ApiKeyEvent } from '../../shared/api-keys/events.ts'
import { SCOPES } from '../../shared/api-keys/scopes.ts'
import type { DomainEvent, StreamName } from '../../shared/event-sourcing/event.ts'
import { LEDGER_AMOUNT } from '../../shared/event-sourcing/ports/ledger.ts'
import { MAX_SEQUENCE_NUMBER } from '../../shared/event-sourcing/ports/sequence.ts'
import { ACCEPTED_REQUEST, REFUSED_REQUEST } from '../../shared/event-sourcing/recorded-requests.ts'
import { businessFields } from '../../shared/fields/business-fields.ts'
import { clientFields } from '../../shared/fields/client-fields.ts'
import { contractFields } from '../../shared/fields/contract-fields.ts'
import { rulesOf } from '../../shared/fields/field-table.ts'
import { firmFields } from '../../shared/fields/firm-fields.ts'
import { capitalised } from '../../shared/fields/rule.ts'
import { isTimeZone } from '../../shared/fields/time-zone.ts'
import { timestamp } from '../../shared/fields/timestamp.ts'
import type { Kind } from '../../shared/kinds/kind.ts'
import { KINDS, type KindName } from '../../shared/kinds/registry.ts'
import type { WebhookEvent } from '../../shared/webhooks/events.ts'
import { WEBHOOKS } from '../../shared/webhooks/view.ts'

/** A time that records can show, in milliseconds since the epoch, with room for the times that follow it. */
export const moment = z.int().min(0).max(Date.UTC(9999, 0))

/** The last number that a sequence has issued, which must leave numbers for records still to come. */
export const lastNumber = z
  .int()
  .min(0)
  .max(MAX_SEQUENCE_NUMBER, {
    error: `is so high that no numbers are left: no Mint gets beyond ${MAX_SEQUENCE_NUMBER}`,
  })

/** The shape of the data of each of a stream's types of events. */
type Shapes<Event extends DomainEvent> = Readonly<Record<Event['type'], z.ZodObject>>

const shownIn = (table: Readonly<Record<string, { readonly shown: z.ZodType }>>, ...omitted: readonly string[]) =>
  z.object(
    Object.fromEntries(
      Object.entries(table).flatMap(([name, { shown }]) => (omitted.includes(name) ? [] : [[name, shown]])),
    ),
  )

/** The names of an object's fields, as a mask for zod. */
const namesOf = (object: object) => Object.fromEntries(Object.keys(object).map((name) => [name, true as const]))

const TIMES = ['createdAt', 'updatedAt']
const amount = z.string().regex(LEDGER_AMOUNT, 'is not an amount that Mint can add up')
/** Includes the year 0000, which earlier versions accepted. */
const day = z.iso.date('is not a date')
/** What is stored in addition to the fields of a contract. */
const circumstances = { overrideReason: z.string().optional(), proposedBy: z.string().optional() }

// Stored as REST returns them, except amounts, which are exact, and dates.
const contract = shownIn(contractFields, ...TIMES).extend({
  id: z.int().min(1).max(MAX_SEQUENCE_NUMBER),
  serviceFee: amount,
  taxPercent: amount,
  totalFeeWithTax: amount,
  serviceDate: day,
})
const business = shownIn(businessFields, ...TIMES)

const contractEvents: Shapes<ContractEvent> = {
  'ContractCreated.v1': contract.partial(namesOf(contractDefaults)).extend(circumstances),
  'ContractEdited.v1': contract.partial().extend(circumstances),
}

const businessEvents: Shapes<BusinessEvent> = {
  'BusinessCreated.v1': business.partial(namesOf(businessDefaults)),
  'BusinessEdited.v1': business.partial(),
}

/** The kinds whose logs hold more than callers send, or older forms of it. */
const SPECIAL: Readonly<Partial<Record<KindName, Category['events']>>> = {
  contract: contractEvents,
  business: businessEvents,
}

/** What streams of a kind of record begin with, and the shapes of their events: by default, what callers may send. */
function categoryOf(one: KindName): Category {
  const { fields }: Kind = KINDS[one]
  const name = capitalised(one)
  const given = z.object(rulesOf(fields, 'rule') as z.ZodRawShape).partial()
  const plain = {
    [`${name}Created.v1`]: given.extend({ id: fields.id?.shown ?? z.string() }),
    [`${name}Edited.v1`]: given,
  }
  return { events: SPECIAL[one] ?? plain, first: `${name}Created.v1`, id: 'id' }
}

const asOfBusiness = z.object({ sourceVersion: z.int().min(1), updatedAt: moment })
const namedVersion = asOfBusiness.extend({ displayName: z.string() })

const clientEvents: Shapes<ClientEvent> = {
  'ClientRegistered.v1': shownIn(clientFields).extend({ ...namedVersion.shape, createdAt: moment }),
  'ClientRenamed.v1': namedVersion,
  'ClientRefreshed.v1': asOfBusiness,
  'ClientPastRecorded.v1': namedVersion,
}

const closingEvents: Shapes<ClosingEvent> = {
  'ClosingSet.v1': z.object({ closedThrough: day.nullable(), reason: z.string() }),
}

const given = z.object(rulesOf(contractFields, 'rule'))
const proposed = { id: z.guid(), reason: z.string(), proposedBy: z.string() }
const contractId = z.int().min(1).max(MAX_SEQUENCE_NUMBER)

const proposalEvents: Shapes<ProposalEvent> = {
  'ProposalMade.v1': z
    .object({ ...proposed, action: z.string(), fields: given.partial(), contractId, contractVersion: z.int().min(1) })
    .partial({ contractId: true, contractVersion: true })
    .refine(
      ({ action, fields, contractId, contractVersion }) =>
        action === 'create'
          ? given.safeParse(fields).success
          : action === 'edit' && contractId !== undefined && contractVersion !== undefined,
      'is neither a new contract nor an edit of one',
    ),
  'ProposalAccepted.v1': z.object({ contractId, decidedAt: moment, decidedBy: z.string() }),
  'ProposalDeclined.v1': z.object({ reason: z.string(), decidedBy: z.string() }),
}

const firmEvents: Shapes<FirmEvent> = {
  'FirmEdited.v1': z
    .object(rulesOf(firmFields, 'rule'))
    // Its rule accepts "", which is stored as UTC.
    .extend({ timeZone: z.string().refine(isTimeZone, 'is not a time zone') })
    .partial(),
}

const scope = z.enum(SCOPES, {
  error: ({ input }) => `${JSON.stringify(input)} is not a scope of this version of Mint`,
})
const sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'is not a SHA-256 in hexadecimal')

const apiKeyEvents: Shapes<ApiKeyEvent> = {
  'ApiKeyCreated.v1': z.object({
    id: z.guid(),
    name: z.string(),
    scopes: z.array(scope),
    sha256,
    expiresAt: timestamp.nullable(),
    person: z.guid().optional(),
  }),
  'ApiKeyRotated.v1': z.object({ sha256, previousUntil: moment }),
  'ApiKeyRevoked.v1': z.object({}),
}

const named = z.object({ id: z.guid() })
const webhook = { url: z.string(), types: z.array(z.string()), description: z.string() }
const secret = z.base64('is not an encrypted secret')

const webhookEvents: Shapes<WebhookEvent> = {
  'WebhookCreated.v1': named.extend({ ...webhook, secret, after: z.string() }),
  'WebhookEdited.v1': named.extend(z.object(webhook).partial().shape),
  'WebhookPaused.v1': named.extend({ reason: z.enum(['manual', 'gone', 'failing']) }),
  'WebhookResumed.v1': named,
  'WebhookRotated.v1': named.extend({ secret, previousUntil: moment }),
  'WebhookTested.v1': named.extend({ eventId: z.string() }),
  'WebhookReplayed.v1': named.extend({ since: z.int() }),
  'WebhookDeleted.v1': named,
}

interface Category {
  readonly events: Readonly<Record<string, z.ZodObject>>
  /** The type of a stream's first event; undefined: any. */
  readonly first?: string
  /** The field of the first event that is also the stream's id. */
  readonly id?: string
  /** The id of the only stream. */
  readonly only?: string
}

/** What a log may hold, by category of streams. */
const CATEGORIES: ReadonlyMap<string, Category> = new Map(
  Object.entries<Category>({
    ...Object.fromEntries((Object.keys(KINDS) as KindName[]).map((one) => [one, categoryOf(one)])),
    client: { events: clientEvents, first: 'ClientRegistered.v1', id: 'clientId' },
    [CLOSING.category]: { events: closingEvents, only: CLOSING.id },
    proposal: { events: proposalEvents, first: 'ProposalMade.v1', id: 'id' },
    [FIRM.category]: { events: firmEvents, only: FIRM.id },
    'api-key': { events: apiKeyEvents, first: 'ApiKeyCreated.v1', id: 'id' },
    [WEBHOOKS.category]: { events: webhookEvents, only: WEBHOOKS.id },
    [ACCEPTED_REQUEST]: {
      events: { 'RequestAccepted.v1': z.object({ category: z.string(), id: z.string(), version: z.int().min(0) }) },
    },
    [REFUSED_REQUEST]: { events: { 'RequestRefused.v1': z.object({}) } },
  }),
)

/** Whether the events of a stream can be checked here: those of Mint's own categories can. */
export const hasShapes = ({ category }: StreamName): boolean => CATEGORIES.has(category)

/**
 * Why this version of Mint can't read an event, in words for its user; undefined: it can. Events that pass can be folded
 * and shown without an error: logs from elsewhere are checked with this, and logs that may be damaged.
 */
export function whyUnreadable(stream: StreamName, version: number, { type, data }: DomainEvent): string | undefined {
  const category = CATEGORIES.get(stream.category)
  const shape = category && Object.hasOwn(category.events, type) ? category.events[type] : undefined
  if (category === undefined || shape === undefined) {
    return `the type ${type} of ${stream.category} is unknown: use the version of Mint that wrote it, or a newer one`
  }
  const { first = type, id, only = stream.id } = category
  if (stream.id !== only) return `the stream is unknown: of ${stream.category}, only ${only} is known`
  if (version === 1 && type !== first) return `it begins with ${type}, not with ${first}`
  const checked = shape.safeParse(data)
  if (!checked.success) return firstIssue(checked.error)
  if (version > 1 || id === undefined || String(checked.data[id]) === stream.id) return undefined
  return `${id} is ${checked.data[id]}, and not that of its stream`
}

/** The first issue, with the name of its field. */
export function firstIssue({ issues: [issue] }: z.ZodError): string {
  if (issue === undefined) return ''
  const field = issue.path.join('.')
  if (issue.message.endsWith('received undefined')) return `${field} is missing`
  return field === '' ? issue.message : `${field}: ${issue.message}`
}
