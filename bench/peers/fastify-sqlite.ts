// The peer: plain CRUD with Fastify and node:sqlite. Only the row is stored, no event; each insert is on disk (WAL,
// synchronous FULL) before it is answered. Schemas let Fastify both validate and serialise faster.
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import Fastify from 'fastify'
import { contractOf, type NewContract } from './answer.ts'

const database = new DatabaseSync(join(process.env.DATA_DIR ?? '.', 'fastify.db'))
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS contracts (
    id INTEGER PRIMARY KEY, clientId TEXT, serviceName TEXT, serviceType TEXT, serviceFee REAL, taxPercent REAL,
    totalFeeWithTax REAL, serviceDate TEXT, notes TEXT, createdAt TEXT, updatedAt TEXT
  );
  CREATE INDEX IF NOT EXISTS contracts_client ON contracts (clientId);
`)
const insert = database.prepare(
  `INSERT INTO contracts (clientId, serviceName, serviceType, serviceFee, taxPercent, totalFeeWithTax, serviceDate,
   notes, createdAt, updatedAt) VALUES (:clientId, :serviceName, :serviceType, :serviceFee, :taxPercent,
   :totalFeeWithTax, :serviceDate, :notes, :createdAt, :updatedAt)`,
)
const select = database.prepare('SELECT * FROM contracts WHERE id = ?')

const text = { type: 'string' }
const number = { type: 'number' }
const given = {
  clientId: text,
  serviceName: text,
  serviceType: text,
  serviceFee: number,
  taxPercent: number,
  notes: text,
}
const computed = { id: number, totalFeeWithTax: number, serviceDate: text, createdAt: text, updatedAt: text }
const contract = { type: 'object', properties: { ...given, ...computed } }
const required = ['clientId', 'serviceName', 'serviceType', 'serviceFee']
const newContract = { type: 'object', required, properties: given, additionalProperties: false }

const app = Fastify()
app.get<{ Params: { id: string } }>('/contracts/:id', { schema: { response: { 200: contract } } }, (request, reply) => {
  const found = select.get(request.params.id)
  return found ? reply.send(found) : reply.code(404).send({ message: 'not found' })
})
app.post<{ Body: NewContract }>(
  '/contracts',
  { schema: { body: newContract, response: { 201: contract } } },
  (request, reply) => {
    const created = contractOf(request.body)
    const { lastInsertRowid } = insert.run(created)
    return reply.code(201).send({ id: Number(lastInsertRowid), ...created })
  },
)
console.log(`ready on ${await app.listen({ port: 0, host: '127.0.0.1' })}`)
