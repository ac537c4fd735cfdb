/** A separate process that creates and edits jobs until it gets a stop message, then reports what was acknowledged. */
import { randomUUID } from 'node:crypto'
import { openMongoDatabase } from '../../../shared/adapters/mongo/database.ts'
import { StoreUnavailable } from '../../../shared/event-sourcing/ports/event-store.ts'
import { created, edited, jobsByText } from '../../support/jobs.ts'

const [url = '', name = ''] = process.argv.slice(2)
const SHARED = ['shared-1', 'shared-2', 'shared-3']
const CALLERS = 8

const database = await openMongoDatabase({ url, name, views: [jobsByText] })
const acknowledged: string[] = []
let stopping = false

async function write(id: string): Promise<void> {
  const before = await database.view(jobsByText).get(id)
  const commit = before === undefined ? created(id) : edited(before, { title: randomUUID() })
  const outcome = await database.events.append(commit)
  if (outcome.type === 'appended') acknowledged.push(commit.commitId)
}

async function writeOn(): Promise<void> {
  let round = 0
  while (!stopping) {
    round += 1
    try {
      await write(round % 2 === 0 ? randomUUID() : (SHARED[round % SHARED.length] ?? ''))
    } catch (error) {
      // On a busy machine, the engine may exceed the call's deadline: then nothing was acknowledged.
      if (!(error instanceof StoreUnavailable)) throw error
    }
  }
}

const writing = Promise.all(Array.from({ length: CALLERS }, writeOn))
process.send?.({ ready: true })
process.once('message', async () => {
  stopping = true
  await writing
  await database.close()
  process.send?.({ acknowledged })
  process.disconnect()
})
