// The peer: plain CRUD with Express and Mongoose on the same MongoDB, with the same write concern (majority,
// journaled). The document alone is kept, no event.
import type { AddressInfo } from 'node:net'
import express from 'express'
import { connect, model, Schema } from 'mongoose'
import { contractOf } from './answer.ts'

await connect(process.env.MONGO_URL ?? '', {
  dbName: process.env.DATABASE ?? '',
  writeConcern: { w: 'majority', journal: true },
})
const text = { type: String, required: true }
const number = { type: Number, required: true }
const contractSchema = new Schema(
  {
    clientId: { ...text, index: true },
    serviceName: text,
    serviceType: text,
    serviceFee: number,
    taxPercent: number,
    totalFeeWithTax: number,
    serviceDate: text,
    notes: { type: String },
    createdAt: text,
    updatedAt: text,
  },
  { writeConcern: { w: 'majority', j: true } },
)
const Contract = model('Contract', contractSchema)
await Contract.init()

const app = express()
app.use(express.json())
app.get('/contracts/:id', async (request, response) => {
  const found = await Contract.findById(request.params.id).lean()
  if (found) response.json(found)
  else response.status(404).json({ message: 'not found' })
})
app.post('/contracts', async (request, response) => {
  const created = await Contract.create(contractOf(request.body))
  response.status(201).json(created)
})
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`ready on http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
