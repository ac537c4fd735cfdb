/** The writer thread: owns the only connection that writes each file, and does one batch after the other. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openForWriting } from '../connection.ts'
import { isEngineFailure, toFailure } from '../failures.ts'
import { checkInPlace, placeOf } from '../file-in-place.ts'
import { bringToCurrentFormat } from '../format.ts'
import { headOf } from '../log/log-reads.ts'
import { prepareStatements } from '../statements.ts'
import { createRowWriter } from '../views/row-writer.ts'
import { createSnapshotTable } from '../views/snapshot-table.ts'
import { viewTables } from '../views/view-tables.ts'
import { type WriterState, writeBatch } from './batch.ts'
import { createBatchQueue } from './batch-queue.ts'
import { checkOwnership, takeOwnership } from './ownership.ts'
import type { OpenedView, OpenRequest, WriteBatch, WriterMessage, WriterOptions } from './write-operations.ts'

const requests = parentPort
if (!requests) throw new Error('writer-thread.ts runs as a worker thread only')
requests.on('message', (request: OpenRequest | 'end') => {
  if (request === 'end') requests.close()
  else openFile(request)
})

function openFile({ options, port }: OpenRequest): void {
  const tell = (message: WriterMessage): void => port.postMessage(message)
  try {
    serve(open(options), port, tell)
  } catch (error) {
    tell({ type: 'refused', message: whyRefused(options.file, error) })
    port.close()
  }
}

function open({ file, shapes, lock }: WriterOptions): WriterState {
  const connection = openForWriting(file)
  bringToCurrentFormat(connection, file)
  const statements = prepareStatements(connection)
  // One process a folder: whoever held a lease is gone.
  connection.exec('UPDATE checkpoints SET holder = NULL, expires_at = 0 WHERE holder IS NOT NULL')
  const epoch = takeOwnership(statements)
  const places = lock ? [placeOf(file), lock] : [placeOf(file)]
  return {
    statements,
    shapes: new Map(shapes.map((shape) => [shape.name, shape])),
    rowWriters: new Map(),
    isRelaxed: false,
    checkPlaces: () => places.forEach(checkInPlace),
    checkOwnership: () => checkOwnership(statements, epoch, file),
  }
}

function serve(state: WriterState, port: MessagePort, tell: (message: WriterMessage) => void): void {
  const { statements } = state
  const views = activeViews(state)
  state.rowWriters = new Map(
    views.flatMap(({ name, generation }) => {
      const shape = state.shapes.get(name)
      return shape ? [[name, [createRowWriter(statements.connection, viewTables(shape, generation))]] as const] : []
    }),
  )
  const sequences = statements.of('SELECT category, last FROM sequences').all()
  tell({
    type: 'opened',
    head: headOf(statements),
    sequences: sequences.map(({ category, last }) => [String(category), Number(last)] as const),
    views,
  })
  const enqueue = createBatchQueue((batch) => {
    const { operations, sequences } = batch
    const begun = performance.now()
    const end = writeBatch(state, batch)
    tell({ type: 'batch', end, size: operations.length, sequences, milliseconds: performance.now() - begun })
  })
  port.on('message', (message: WriteBatch | 'close') => {
    if (message !== 'close') return enqueue(message)
    statements.connection.close()
    tell({ type: 'closed' })
    port.close()
  })
}

/** The generations that can be read with the schemas of this program, each with all of its tables. */
function activeViews({ statements, shapes }: WriterState): OpenedView[] {
  const stored = statements.of('SELECT name, generation, schema, checkpoint FROM views WHERE active = 1').all()
  return stored.flatMap(({ name, generation, schema, checkpoint }) => {
    const shape = shapes.get(String(name))
    if (shape?.schema !== Number(schema)) return []
    const lacksSnapshots = createSnapshotTable(statements.connection, viewTables(shape, Number(generation)))
    return [{ name: shape.name, generation: Number(generation), checkpoint: Number(checkpoint), lacksSnapshots }]
  })
}

function whyRefused(file: string, error: unknown): string {
  const failure = toFailure(error)
  const primary = (failure.code ?? 0) & 0xff
  if (primary === 26) return `${file} is not a database of Mint: choose another folder, or move the file away`
  if (primary === 11) return `${file} is damaged (${failure.message}): restore it from a backup`
  if (isEngineFailure(failure)) return `${file} can't be opened for writing: ${failure.message}`
  return failure.message
}
