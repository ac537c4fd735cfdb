import { randomUUID } from 'node:crypto'
import type { Moment, Outcome, Values } from '../history.ts'
import { anyDoor, type Client, otherGateway, recordIn, type Sent, sendWrite } from './client.ts'
import type { HotRecord } from './known-records.ts'
import { get } from './reads.ts'
import { ALWAYS_OPEN, CLOSED_AT_TIMES, NO_BUSINESS, TOPICS } from './values.ts'

/** How often a write is immediately read back through the other gateway. */
const READ_BACK_SHARE = 0.2
/** How often a refused request is retried with the same Idempotency-Key. */
const RETRY_SHARE = 0.5

interface CreateOptions {
  readonly serviceDate?: string
  /** Whether it has an Idempotency-Key. */
  readonly isKeyed?: boolean
}

/** Creates a contract with a unique name. Returns the outcome. */
export async function create(client: Client, options: CreateOptions = {}): Promise<Outcome> {
  const { random, now, known } = client
  const { serviceDate, isKeyed = random.chance(0.6) } = options
  const asked: Values = {
    serviceName: `${client.newWord('m')} ${random.pick(TOPICS)}`,
    serviceType: 'plain',
    notes: '',
    serviceDate: serviceDate ?? (random.chance(0.25) ? random.pick(CLOSED_AT_TIMES) : ALWAYS_OPEN),
  }
  const { clientId } = random.pick([{ clientId: NO_BUSINESS }, ...known.businesses])
  const body = { clientId, serviceFee: random.between(-100, 500), taxPercent: 13, ...asked }
  const key = isKeyed ? randomUUID() : undefined
  return await whileRefused(client, key, async () => {
    const call = now()
    const sent = await sendWrite(client, { method: 'POST', path: '/contracts', body }, key)
    const operation = { type: 'create', ...endOf(client, call, sent), asked, keyed: isKeyed } as const
    const record = sent.done && recordIn(sent.done)
    client.record({ ...operation, ...(record && { record }) })
    if (record !== undefined) {
      known.add(record.id)
      await readAgain(client, record.id, sent)
    }
    return sent
  })
}

/** The record and the target, without retries; by default a record that others also edit, through any target. */
interface EditOptions {
  readonly record?: HotRecord
  readonly door?: () => number
}

/** Edits fields of a record; one of them gets a unique text. */
export async function edit(client: Client, { record: given, door }: EditOptions = {}): Promise<void> {
  const { random, now } = client
  const hot = given ?? client.known.hot()
  if (hot === undefined) return void (await create(client))
  const { id } = hot
  const word = client.newWord('w')
  const changes: Partial<Values> = {
    ...(random.chance(0.5) ? { serviceType: word } : { notes: word }),
    ...(random.chance(0.25) && { serviceDate: random.pick([...CLOSED_AT_TIMES, ALWAYS_OPEN, ALWAYS_OPEN]) }),
  }
  if (changes.serviceType) hot.words = [...hot.words.slice(-3), word]
  // Also the next version, which a refused request may find later.
  const seen = hot.seen?.version ?? 1
  const ifMatch = random.chance(0.35) ? random.pick([seen, seen, seen + 1]) : undefined
  const key = door === undefined && random.chance(0.3) ? randomUUID() : undefined
  await whileRefused(client, key, async () => {
    const call = now()
    const request = { method: 'PATCH', path: `/contracts/${id}`, body: changes, ...ifMatching(ifMatch) } as const
    const sent = await sendWrite(client, request, key, door)
    const condition = ifMatch === undefined ? {} : { ifMatch }
    const record = sent.done && recordIn(sent.done)
    client.record({ type: 'edit', ...endOf(client, call, sent), id, changes, ...condition, ...(record && { record }) })
    if (record !== undefined) {
      if (record.version > seen) hot.seen = record
      await readAgain(client, id, sent)
    }
    return sent
  })
}

/** Edits a record without changing it: sets nothing, or what the version of If-Match already has. */
export async function touch(client: Client, { record: given, door }: EditOptions = {}): Promise<void> {
  const { random, now } = client
  const hot = given ?? client.known.hot()
  const { seen } = hot ?? {}
  if (hot === undefined) return
  const condition = seen && random.chance(0.5) ? { ifMatch: seen.version } : {}
  const body =
    seen && condition.ifMatch && random.chance(0.5) ? { notes: seen.notes, serviceType: seen.serviceType } : {}
  const request = { method: 'PATCH', path: `/contracts/${hot.id}`, body, ...ifMatching(condition.ifMatch) } as const
  const key = door === undefined && random.chance(0.3) ? randomUUID() : undefined
  const call = now()
  const sent = await sendWrite(client, request, key, door ?? anyDoor(client, request))
  const record = sent.done ? { record: recordIn(sent.done) } : {}
  client.record({ type: 'touch', ...endOf(client, call, sent), id: hot.id, ...condition, ...record })
}

/** Sometimes retries a refused request with its key: a later attempt may be carried out. */
async function whileRefused(client: Client, key: string | undefined, send: () => Promise<Sent>): Promise<Outcome> {
  for (;;) {
    const { outcome, refusal } = await send()
    if (refusal === undefined || key === undefined || !client.random.chance(RETRY_SHARE)) return outcome
  }
}

async function readAgain(client: Client, id: number, { gateway }: Sent): Promise<void> {
  if (client.random.chance(READ_BACK_SHARE)) await get(client, id, otherGateway(client, gateway))
}

export const ifMatching = (version: number | undefined) =>
  version === undefined ? {} : { headers: { 'if-match': `"${version}"` } }

/** The fields that every write has in the history. */
export function endOf({ now }: Client, call: Moment, { answer, gateway, outcome, refusal }: Sent) {
  return { call, return: now(), gateway, status: answer.words, outcome, ...(refusal && { refusal }) }
}
