// The peer: Express with Emmett's MongoDB store and an inline projection, with the same write concern as Mint
// (majority, journaled). The store creates no index, and would scan for each stream, so one is created here.
import { randomUUID } from 'node:crypto'
import { CommandHandler } from '@event-driven-io/emmett'
import { getMongoDBEventStore, mongoDBInlineProjection, toStreamName } from '@event-driven-io/emmett-mongodb'
import express from 'express'
import { MongoClient } from 'mongodb'
import { type Contract, type ContractCreated, create, evolve, initialState } from './emmett-contract.ts'
import { listen } from './listen.ts'

const client = new MongoClient(process.env.MONGO_URL ?? '', { writeConcern: { w: 'majority', journal: true } })
await client.connect()
const collection = client.db(process.env.DATABASE ?? '').collection('contracts')
await collection.createIndex({ streamName: 1 }, { unique: true })
const store = getMongoDBEventStore({
  client,
  storage: { type: 'SINGLE_COLLECTION', databaseName: process.env.DATABASE ?? '', collectionName: 'contracts' },
  projections: [
    {
      type: 'inline',
      projection: mongoDBInlineProjection<Contract, ContractCreated>({
        canHandle: ['ContractCreated'],
        evolve: (_contract: Contract | null, { data }: ContractCreated) => data,
      }),
    },
  ],
})
const handle = CommandHandler({ evolve, initialState })

const app = express()
app.use(express.json())
app.post('/contracts', async (request, response) => {
  const id = randomUUID()
  const { newState } = await handle(store, toStreamName('contract', id), (state) => create(request.body, state))
  response.status(201).json({ id, ...newState })
})
listen(app)
