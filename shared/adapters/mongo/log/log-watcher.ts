import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Collection, type Db, type FindCursor, MongoServerError } from 'mongodb'

/** Between two notices of one process, in milliseconds: what it appends meanwhile is told by the next one. */
const NOTICE_INTERVAL = 20
/** After a wake-up, in milliseconds: what other processes tell meanwhile comes with the next one. */
const BREATH = 5
/** Before a cursor that broke is opened again, in milliseconds. */
const REOPEN_DELAY = 500

const NOTICES = 'log_notices'
/** More than many processes leave while a reader takes a breath. */
const NOTICES_KEPT = 1_000
/** More than those take. */
const BYTES_KEPT = 256 * 1024
/** The server's code for a collection that is there already. */
const NAMESPACE_EXISTS = 48

/** Says that somebody has appended to the log. */
interface Notice {
  /** A process, by a name that it has given itself. */
  readonly by: string
}

export interface LogWatcher {
  /** Lets the other processes know that this one has appended. */
  tell(): void
  stop(): Promise<void>
}

/** Makes the collection of notices where it is missing, with one in it: no cursor waits in an empty collection. */
export async function createNotices(db: Db): Promise<void> {
  try {
    await db.createCollection(NOTICES, { capped: true, size: BYTES_KEPT, max: NOTICES_KEPT })
    await noticesOf(db).insertOne({ by: '' })
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== NAMESPACE_EXISTS) throw error
  }
}

/**
 * Calls `wake` when another process has appended to the log. Only a hint: each process leaves notices in a capped
 * collection, at the end of which the others wait, and whoever is woken keeps a slow look at the log as a safety net.
 * A change stream would do without notices, but for each process that has one the server looks at every write to any
 * of its databases; three of them took a fourth of its processor time.
 */
export function watchLog(db: Db, wake: () => void): LogWatcher {
  const by = randomUUID()
  const teller = createTeller(() => noticesOf(db).insertOne({ by }, { writeConcern: { w: 0 } }))
  let cursor: FindCursor<Notice> | undefined
  let stopping = false

  async function follow(opened: FindCursor<Notice>): Promise<void> {
    while (!stopping && (await opened.next()) !== null) {
      opened.readBufferedDocuments()
      wake()
      await delay(BREATH)
    }
  }

  async function run(): Promise<void> {
    while (!stopping) {
      cursor = noticesOf(db).find({ by: { $ne: by } }, { tailable: true, awaitData: true, batchSize: NOTICES_KEPT })
      await follow(cursor).catch(() => undefined)
      await cursor.close().catch(() => undefined)
      if (!stopping) await delay(REOPEN_DELAY)
    }
  }

  const running = run()
  return {
    tell: teller.tell,
    async stop() {
      stopping = true
      await cursor?.close().catch(() => undefined)
      await Promise.all([running, teller.silence()])
    },
  }
}

/** Leaves a notice at once, and no second one before NOTICE_INTERVAL has passed. */
function createTeller(leaveNotice: () => Promise<unknown>) {
  let isOwed = false
  let telling: Promise<void> | undefined

  async function run(): Promise<void> {
    for (; isOwed; await delay(NOTICE_INTERVAL)) {
      isOwed = false
      await leaveNotice().catch(() => undefined)
    }
    telling = undefined
  }

  return {
    tell(): void {
      isOwed = true
      telling ??= run()
    },
    /** Answers when everything that was told has been sent. */
    async silence(): Promise<void> {
      await telling
    },
  }
}

function noticesOf(db: Db): Collection<Notice> {
  return db.collection<Notice>(NOTICES)
}
