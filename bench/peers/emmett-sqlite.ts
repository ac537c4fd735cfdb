// The peer: Express with Emmett's SQLite store and an inline projection, so that the view has the contract before the
// answer. The store opens a connection for each append, and concurrent ones fail with SQLITE_BUSY, so they run in turn.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { CommandHandler } from '@event-driven-io/emmett'
import { getSQLiteEventStore, sqliteProjection } from '@event-driven-io/emmett-sqlite'
import express from 'express'
import { type ContractCreated, create, evolve, initialState } from './emmett-contract.ts'
import { listen } from './listen.ts'

const contracts = sqliteProjection<ContractCreated>({
  name: 'contracts',
  canHandle: ['ContractCreated'],
  handle: async (events, { connection }) => {
    for (const { data, metadata } of events) {
      const row = [metadata.streamName, data.clientId, JSON.stringify(data)]
      await connection.command('INSERT INTO contracts (id, client_id, contract) VALUES (?, ?, ?)', row)
    }
  },
})
const store = getSQLiteEventStore({
  fileName: join(process.env.DATA_DIR ?? '.', 'emmett.db'),
  projections: [{ type: 'inline', projection: contracts }],
  hooks: {
    onBeforeSchemaCreated: async ({ connection }) => {
      await connection.command(
        'CREATE TABLE IF NOT EXISTS contracts (id TEXT PRIMARY KEY, client_id TEXT, contract TEXT)',
      )
    },
  },
})
await store.schema.migrate()
const handle = CommandHandler({ evolve, initialState })

let last: Promise<unknown> = Promise.resolve()
function inTurn<T>(write: () => Promise<T>): Promise<T> {
  const result = last.then(write)
  last = result.catch(() => undefined)
  return result
}

const app = express()
app.use(express.json())
app.post('/contracts', async (request, response) => {
  const id = randomUUID()
  const { newState } = await inTurn(() => handle(store, `contract:${id}`, (state) => create(request.body, state)))
  response.status(201).json({ id, ...newState })
})
listen(app)
