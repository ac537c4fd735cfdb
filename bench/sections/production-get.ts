import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { startServer } from '../measure/processes.ts'
import { inTurns } from '../measure/rounds.ts'
import { createContract, getLoad, startSeparate } from '../mint.ts'
import { startPeer } from '../peers.ts'
import { p99Of, ratioOf, requestRows, type SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

/** One record read by its id, through gateway, gRPC and MongoDB as separate processes. */
export async function measureProductionGet(bench: Bench): Promise<SectionResult> {
  const { pace, onEnd } = bench
  const engines = enginesOf(bench)
  const mint = onEnd(await startSeparate(engines))
  const database = newDatabaseName()
  onEnd({ stop: () => dropDatabase(engines.mongoUrl, database) })
  const mongoose = onEnd(await startPeer('express-mongoose', { DATABASE: database }))
  const contracts = onEnd(await startServer('bench/hop-contracts.ts'))
  const hop = onEnd(await startSeparate(engines, { contractsAddress: contracts.url }))
  const express = onEnd(await startPeer('express-memory'))
  const id = await createContract(mint.url, mint.key)
  const measured = await inTurns(
    [
      { name: 'Mint, three processes', load: getLoad(mint.url, id, mint.key), pids: mint.pids },
      {
        name: 'Express + Mongoose',
        load: getLoad(mongoose.url, await createContract(mongoose.url)),
        pids: mongoose.pids,
      },
      {
        name: 'Mint’s hop alone, the record at hand',
        load: getLoad(hop.url, 1, hop.key),
        pids: [...hop.pids, ...contracts.pids],
      },
      { name: 'Express from memory', load: getLoad(express.url, 1), pids: express.pids },
    ],
    pace,
  )
  return {
    title: 'GET by id through gateway, gRPC and MongoDB, separate processes',
    rows: requestRows(measured),
    checks: [
      ratioOf(measured, 'Mint, three processes', 'Express + Mongoose', 4),
      ratioOf(measured, 'Mint’s hop alone, the record at hand', 'Express from memory', 0.45),
      p99Of(measured, 'Mint, three processes', 15),
    ],
  }
}
