import { readFileSync } from 'node:fs'

/** The contents of a database's write-ahead log: https://sqlite.org/fileformat2.html#the_write_ahead_log */
export function writeAheadLog(file: string): { readonly pages: number; readonly transactions: number } {
  const log = readFileSync(`${file}-wal`)
  const frame = 24 + log.readUInt32BE(8)
  let pages = 0
  let transactions = 0
  for (let at = 32; at + frame <= log.length; at += frame) {
    const isOfThisRun = log.readBigUInt64BE(at + 8) === log.readBigUInt64BE(16)
    if (!isOfThisRun) continue
    pages += 1
    // The last frame of a transaction has the size of the database after it, the others 0.
    if (log.readUInt32BE(at + 4) > 0) transactions += 1
  }
  return { pages, transactions }
}
