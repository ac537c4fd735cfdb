import { randomUUID } from 'node:crypto'
import { type Client, sendWrite } from './client.ts'
import { endOf } from './writes.ts'

/** How many businesses have contracts and are repeatedly renamed. */
const RENAMED = 5

/** Creates a business, which the contracts service learns of through the topic. */
export async function createBusiness(client: Client): Promise<void> {
  const legalName = client.newWord('b')
  const call = client.now()
  const request = { method: 'POST', path: '/businesses', body: { legalName } } as const
  const sent = await sendWrite(client, request, randomUUID())
  const { refusal: _, ...end } = endOf(client, call, sent)
  client.record({ type: 'business', ...end, legalName })
  const { businesses } = client.known
  if (sent.done && businesses.length < RENAMED) businesses.push(sent.done.body)
}

/** Renames a business. The outcome is read from its history. */
export async function rename(client: Client): Promise<void> {
  const { random, known, newWord } = client
  if (known.businesses.length < RENAMED) return await createBusiness(client)
  const { id } = random.pick(known.businesses)
  await sendWrite(client, { method: 'PATCH', path: `/businesses/${id}`, body: { operatedAs: newWord('n') } }, undefined)
}
