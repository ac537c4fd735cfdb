import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { inTurns } from '../measure/rounds.ts'
import { createContracts, listLoad, startSeparate } from '../mint.ts'
import { startPeer } from '../peers.ts'
import { ratioOf, requestRows, type SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

const CONTRACTS = 1_000

/** The newest 50 of a thousand records with the total, through gateway, gRPC and MongoDB as separate processes. */
export async function measureProductionList(bench: Bench): Promise<SectionResult> {
  const { pace, onEnd } = bench
  const engines = enginesOf(bench)
  const mint = onEnd(await startSeparate(engines))
  const database = newDatabaseName()
  onEnd({ stop: () => dropDatabase(engines.mongoUrl, database) })
  const mongoose = onEnd(await startPeer('express-mongoose', { DATABASE: database }))
  await createContracts(mint.url, CONTRACTS, mint.key)
  await createContracts(mongoose.url, CONTRACTS)
  const measured = await inTurns(
    [
      { name: 'Mint, three processes', load: listLoad(mint.url, mint.key), pids: mint.pids },
      { name: 'Express + Mongoose', load: listLoad(mongoose.url), pids: mongoose.pids },
    ],
    pace,
  )
  return {
    title: 'List of 50 with the total through gateway, gRPC and MongoDB, separate processes',
    rows: requestRows(measured),
    checks: [ratioOf(measured, 'Mint, three processes', 'Express + Mongoose', 4)],
    notes: [
      'Express + Mongoose does the same: numeric ids from a counter, validation, and countDocuments for the total.',
    ],
  }
}
