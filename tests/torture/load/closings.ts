import { randomUUID } from 'node:crypto'
import type { Closing } from '../history-of-closings.ts'
import { anyDoor, type Client, sendWrite } from './client.ts'
import { ENDS } from './values.ts'
import { endOf, ifMatching } from './writes.ts'

/** Closes or reopens the books, or sets the current closing again. */
export async function closeOrReopen(client: Client): Promise<void> {
  const { random, known } = client
  const asked = (random.chance(0.4) && known.closing) || newClosing(client, random.pick(ENDS))
  await setClosing(client, asked, { ifMatch: random.chance(0.3) ? known.closing?.version : undefined })
}

/** A closing with a unique reason. */
export const newClosing = (client: Client, closedThrough: string | null): Closing => ({
  closedThrough,
  reason: client.newWord('c'),
})

/** Sets the closing and records that; through `door` if given, then without retries. */
export async function setClosing(
  client: Client,
  { closedThrough, reason }: Closing,
  { ifMatch, door }: { readonly ifMatch?: number | undefined; readonly door?: () => number } = {},
): Promise<void> {
  const { random, now, known } = client
  const asked = { closedThrough, reason }
  const request = { method: 'PUT', path: '/closing', body: asked, ...ifMatching(ifMatch) } as const
  const call = now()
  const key = door === undefined && random.chance(0.3) ? randomUUID() : undefined
  const sent = await sendWrite(client, request, key, door ?? anyDoor(client, request, 0.5))
  const { refusal: _, ...end } = endOf(client, call, sent)
  const refusal = sent.refusal === 'precondition_failed' ? { refusal: sent.refusal } : {}
  const condition = ifMatch === undefined ? {} : { ifMatch }
  const version = sent.done?.version
  client.record({ type: 'set-closing', ...end, ...refusal, asked, ...condition, ...(version && { version }) })
  if (version && version >= (known.closing?.version ?? 0)) known.closing = { ...asked, version }
}

/** Reads the closing. */
export async function getClosing(client: Client): Promise<void> {
  const request = { method: 'GET', path: '/closing' } as const
  const gateway = anyDoor(client, request)()
  const call = client.now()
  const answer = await client.call(gateway, request)
  const times = { call, return: client.now(), gateway, status: answer.words }
  if (answer.status !== 200) return client.record({ type: 'failed-read', of: 'get-closing', ...times })
  const { closedThrough, reason } = answer.body
  client.record({
    type: 'get-closing',
    ...times,
    closing: { closedThrough, reason: reason ?? '', version: answer.version },
  })
}
