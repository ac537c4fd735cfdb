// The peer: plain CRUD with Express and Mongoose on the same MongoDB, with the same write concern (majority,
// journaled). Ids are numbers from a counter and bodies are validated, as in Mint; only the document is stored, without
// an event.
import express from 'express'
import { connect, model, Schema } from 'mongoose'
import { z } from 'zod'
import { contractOf } from './answer.ts'
import { listen } from './listen.ts'

await connect(process.env.MONGO_URL ?? '', {
  dbName: process.env.DATABASE ?? '',
  writeConcern: { w: 'majority', journal: true },
})
const text = { type: String, required: true }
const number = { type: Number, required: true }
const contractSchema = new Schema(
  {
    _id: number,
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
const Counter = model('Counter', new Schema({ _id: text, last: number }))
const newContract = z.object({
  clientId: z.guid(),
  serviceName: z.string().min(1).max(200),
  serviceType: z.string().min(1).max(100),
  serviceFee: z.number().min(0),
  taxPercent: z.number().min(0).max(100).optional(),
  notes: z.string().max(2000).optional(),
})
const page = z.object({
  limit: z.coerce.number().int().min(0).max(100),
  offset: z.coerce.number().int().min(0).default(0),
})
const withId = ({ _id, __v, ...contract }: Record<string, unknown>) => ({ id: _id, ...contract })

const app = express()
app.use(express.json())
app.get('/contracts', async (request, response) => {
  const { limit, offset } = page.parse(request.query)
  const [found, total] = await Promise.all([
    Contract.find().sort({ _id: -1 }).skip(offset).limit(limit).lean(),
    Contract.countDocuments(),
  ])
  response.json({ contracts: found.map(withId), total })
})
app.get('/contracts/:id', async (request, response) => {
  const found = await Contract.findById(Number(request.params.id)).lean()
  if (found) response.json(withId(found))
  else response.status(404).json({ message: 'not found' })
})
app.post('/contracts', async (request, response) => {
  const body = newContract.safeParse(request.body)
  if (!body.success) return void response.status(422).json({ message: body.error.message })
  const counter = await Counter.findByIdAndUpdate(
    'contract',
    { $inc: { last: 1 } },
    { upsert: true, returnDocument: 'after' },
  )
  const created = await Contract.create({
    _id: counter.last,
    ...contractOf(body.data as Parameters<typeof contractOf>[0]),
  })
  response.status(201).json(withId(created.toObject()))
})
listen(app)
