// The peer: a default Express app that serves the same JSON from memory. It checks and stores nothing.
// The list is a page of 50 with its total.
import express from 'express'
import { listen } from './listen.ts'

const contract = {
  id: 1,
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'Annual accounts',
  serviceType: 'bookkeeping',
  serviceFee: 150,
  taxPercent: 13,
  totalFeeWithTax: 169.5,
  serviceDate: '2026-01-31T00:00:00.000Z',
  notes: '',
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
}

const contracts = Array.from({ length: 50 }, (_, index) => ({ ...contract, id: 1000 - index }))

const app = express()
app.get('/contracts', (_request, response) => {
  response.json({ contracts, total: 1000 })
})
app.get('/contracts/:id', (_request, response) => {
  response.json(contract)
})
listen(app)
