// Keeps a copy of Mint's records in an SQLite file: `node follower.ts copy.db`, on Node 24. If it or Mint is killed, at
// any moment, the copy resumes where it was. If Mint refuses its cursor (`unknown_cursor`), Mint was restored to an earlier
// moment: delete the copy.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'

const { MINT_URL = 'http://127.0.0.1:8080', MINT_API_KEY = '' } = process.env
const copy = new DatabaseSync(process.argv[2] ?? 'copy.db')
copy.exec(`
  CREATE TABLE IF NOT EXISTS records (kind TEXT, id TEXT, version INTEGER, data TEXT, PRIMARY KEY (kind, id));
  CREATE TABLE IF NOT EXISTS cursor (id INTEGER PRIMARY KEY CHECK (id = 1), next TEXT);
`)
const putRecord = copy.prepare('INSERT OR REPLACE INTO records VALUES (?, ?, ?, ?)')
const putCursor = copy.prepare('INSERT OR REPLACE INTO cursor VALUES (1, ?)')
const readCursor = copy.prepare('SELECT next FROM cursor')

for (;;) {
  try {
    await follow()
  } catch (error) {
    // Mint is unavailable, or the copy is locked: events that were not stored are read again.
    if (copy.isTransaction) copy.exec('ROLLBACK')
    console.error(String(error))
    await delay(500)
  }
}

/** Stores the next page and the cursor after it in one transaction. */
async function follow(): Promise<void> {
  const query = new URLSearchParams({ wait: '30', limit: '1000' })
  const after = readCursor.get()?.next
  if (after !== undefined) query.set('after', String(after))
  const answer = await fetch(`${MINT_URL}/events?${query}`, { headers: { Authorization: `Bearer ${MINT_API_KEY}` } })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  const { events, next } = (await answer.json()) as { events: Record<string, string>[]; next: string }
  copy.exec('BEGIN')
  for (const { type = '', subject = '', recordversion = 0, data } of events) {
    putRecord.run(type.split('.')[1] ?? type, subject, recordversion, JSON.stringify(data))
  }
  putCursor.run(next)
  copy.exec('COMMIT')
}
