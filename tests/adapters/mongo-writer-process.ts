/** A process of its own that pays into accounts until it is told to stop, then tells what was acknowledged. */
import { randomUUID } from 'node:crypto'
import { accounts, openAccounts, payment } from './mongo-accounts.ts'

const [url = '', name = ''] = process.argv.slice(2)
const SHARED = ['shared-1', 'shared-2', 'shared-3']
const CALLERS = 8

const database = await openAccounts(url, name)
const acknowledged: string[] = []
let stopping = false

async function pay(id: string): Promise<void> {
  const before = await database.view(accounts).get(id)
  const commit = payment(id, before)
  const outcome = await database.events.append(commit)
  if (outcome.type === 'appended') acknowledged.push(commit.commitId)
}

async function payOn(): Promise<void> {
  let round = 0
  while (!stopping) {
    round += 1
    await pay(round % 2 === 0 ? randomUUID() : (SHARED[round % SHARED.length] ?? ''))
  }
}

const paying = Promise.all(Array.from({ length: CALLERS }, payOn))
process.send?.({ ready: true })
process.once('message', async () => {
  stopping = true
  await paying
  await database.close()
  process.send?.({ acknowledged })
  process.disconnect()
})
