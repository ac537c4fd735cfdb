/** The writer thread: owns the only connection that writes to each file, and writes one batch at a time. */
import { type MessagePort, parentPort } from 'node:worker_threads'
import { openForWriting } from '../file/connection.ts'
import { isEngineFailure, toFailure } from '../file/failures.ts'
import { bringToCurrentFormat } from '../file/format.ts'
import { takeOwnership } from '../file/ownership.writer.ts'
import { prepareStatements } from '../file/statements.ts'
import { dropOtherViews } from '../views/stored-views.ts'
import { STRICT, type WriterState, writeBatch } from './batch.writer.ts'
import type { OpenRequest, WriteBatch, WriterMessage } from './write-operations.ts'

const requests = parentPort
if (!requests) throw new Error('thread.writer.ts runs as a worker thread only')
requests.on('message', openFile)

function openFile(request: OpenRequest): void {
  const { file, port } = request
  const report = (message: WriterMessage): void => port.postMessage(message)
  try {
    serve(open(request), port, report)
  } catch (error) {
    report({ type: 'ended', why: whyRefused(file, error) })
    port.close()
  }
}

function open({ file, shapes }: OpenRequest): WriterState {
  const connection = openForWriting(file)
  try {
    bringToCurrentFormat(connection, file)
    const statements = prepareStatements(connection)
    // A folder has one process at a time, so earlier lease holders are gone.
    connection.exec('UPDATE checkpoints SET holder = NULL, expires_at = 0 WHERE holder IS NOT NULL')
    const checkOwnership = takeOwnership(statements, file)
    dropOtherViews(statements, shapes)
    return { statements, shapes, rowWriters: new Map(), settings: STRICT, checkOwnership }
  } catch (error) {
    connection.close()
    throw error
  }
}

function serve(state: WriterState, port: MessagePort, report: (message: WriterMessage) => void): void {
  const { statements } = state
  const numbers = statements.asArrays<[category: string, last: number]>('SELECT category, last FROM sequences').all()
  report({ type: 'opened', sequences: new Map(numbers) })
  const waiting: WriteBatch[] = []
  port.on('message', (message: WriteBatch | 'close') => {
    // Written in the next turn of the event loop, with everything that has arrived by then; other files get turns, too.
    if (message !== 'close') return void (waiting.push(message) === 1 && setImmediate(write))
    statements.connection.close()
    report({ type: 'ended', why: 'the database is closed' })
    port.close()
  })

  function write(): void {
    const taken = waiting.splice(0)
    const operations = taken.flatMap((batch) => batch.operations)
    const startedAt = performance.now()
    const ends = writeBatch(state, { operations, sequences: taken.at(-1)?.sequences ?? new Map() })
    report({ type: 'batch', ends, milliseconds: performance.now() - startedAt })
  }
}

function whyRefused(file: string, error: unknown): string {
  const failure = toFailure(error)
  const primary = (failure.code ?? 0) & 0xff
  if (primary === 26) return `${file} is not a database of Mint: choose another folder, or move the file away`
  if (primary === 11) return `${file} is damaged (${failure.message}): restore it from a backup`
  if (isEngineFailure(failure)) return `${file} can't be opened for writing: ${failure.message}`
  return failure.message
}
