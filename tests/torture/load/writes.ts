import { randomUUID } from 'node:crypto'
import type { Outcome, Values } from '../history.ts'
import type { Answer } from './caller.ts'
import { type Client, otherGateway, recordIn, sendWrite } from './client.ts'
import { get } from './reads.ts'
import { TOPICS } from './topics.ts'

const CLIENT = '11111111-1111-1111-1111-111111111111'
/** How often a write is read again at once, through the other gateway. */
const READ_AGAIN = 0.2

/** Creates a contract with a name of its own. */
export async function create(client: Client): Promise<void> {
  const { random, now } = client
  const asked: Values = {
    serviceName: `${client.newWord('m')} ${random.pick(TOPICS)}`,
    serviceType: 'plain',
    notes: '',
  }
  const keyed = random.chance(0.6)
  const call = now()
  const body = { clientId: CLIENT, serviceFee: 150, taxPercent: 13, ...asked }
  const sent = await sendWrite(client, { method: 'POST', path: '/contracts', body }, keyed ? randomUUID() : undefined)
  const { answer, gateway } = sent
  const times = { call, return: now(), gateway, status: answer.words }
  const isCreated = answer.status === 201
  const record = isCreated ? { record: recordIn(answer) } : {}
  client.record({ type: 'create', ...times, outcome: outcomeOf(answer, sent.doubt), asked, keyed, ...record })
  if (!isCreated) return
  const { id } = recordIn(answer)
  client.known.add(id)
  if (random.chance(READ_AGAIN)) await get(client, id, otherGateway(client, gateway))
}

/** Edits one of two fields of a record that others edit, too. */
export async function edit(client: Client): Promise<void> {
  const { random, now } = client
  const hot = client.known.hot()
  if (hot === undefined) return create(client)
  const { id } = hot
  const word = client.newWord('w')
  const changes: Partial<Values> = random.chance(0.5) ? { serviceType: word } : { notes: word }
  if (changes.serviceType) hot.words = [...hot.words.slice(-3), word]
  const ifMatch = random.chance(0.35) ? hot.version : undefined
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` }
  const call = now()
  const request = { method: 'PATCH', path: `/contracts/${id}`, body: changes, headers } as const
  const { answer, gateway, doubt } = await sendWrite(client, request, random.chance(0.3) ? randomUUID() : undefined)
  const times = { call, return: now(), gateway, status: answer.words }
  const condition = ifMatch === undefined ? {} : { ifMatch }
  const operation = { type: 'edit', ...times, id, changes, ...condition } as const
  if (answer.status !== 200) {
    client.record({ ...operation, outcome: outcomeOf(answer, doubt), ...refusalIn(answer, doubt) })
    return
  }
  const record = recordIn(answer)
  hot.version = Math.max(hot.version, record.version)
  client.record({ ...operation, outcome: 'ok', record })
  if (random.chance(READ_AGAIN)) await get(client, id, otherGateway(client, gateway))
}

/** Creates a business, which the contracts service hears of through the topic. */
export async function createBusiness(client: Client): Promise<void> {
  const legalName = client.newWord('b')
  const call = client.now()
  const request = { method: 'POST', path: '/businesses', body: { legalName } } as const
  const { answer, gateway, doubt } = await sendWrite(client, request, randomUUID())
  const times = { call, return: client.now(), gateway, status: answer.words }
  client.record({ type: 'business', ...times, outcome: outcomeOf(answer, doubt), legalName })
}

/** Once an attempt is in doubt, only an acknowledgement removes it. */
function outcomeOf({ status }: Answer, doubt: boolean): Outcome {
  if (status === 200 || status === 201) return 'ok'
  return doubt ? 'unknown' : 'failed'
}

/** A refusal says something about the record, unless an attempt of our own may have changed it. */
function refusalIn(answer: Answer, doubt: boolean) {
  if (doubt || typeof answer.status !== 'number') return {}
  const { code } = answer.body
  return code === 'precondition_failed' || code === 'not_found' ? ({ refusal: code } as const) : {}
}
