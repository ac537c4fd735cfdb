import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import { startServer } from '../measure/processes.ts'
import { inTurns } from '../measure/rounds.ts'
import { postLoad, startSeparate } from '../mint.ts'
import { type PeerName, startPeer } from '../peers.ts'
import { p99Of, ratioOf, requestRows, type SectionResult } from '../result.ts'
import { type Bench, enginesOf } from '../section.ts'

/** Contracts created through gateway, gRPC and MongoDB (majority, journaled), visible in the view. */
export async function measureProductionPost(bench: Bench): Promise<SectionResult> {
  const { pace, onEnd } = bench
  const engines = enginesOf(bench)
  const mint = onEnd(await startSeparate(engines))
  const peer = async (name: string, file: PeerName) => {
    const database = newDatabaseName()
    onEnd({ stop: () => dropDatabase(engines.mongoUrl, database) })
    const { url, pids } = onEnd(await startPeer(file, { DATABASE: database }))
    return { name, load: postLoad(url), pids }
  }
  const contracts = onEnd(await startServer('bench/hop-contracts.ts'))
  const hop = onEnd(await startSeparate(engines, { contractsAddress: contracts.url }))
  const measured = await inTurns(
    [
      { name: 'Mint, three processes', load: postLoad(mint.url, mint.key), pids: mint.pids },
      await peer('Express + Mongoose', 'express-mongoose'),
      await peer('Express + Emmett on MongoDB', 'emmett-mongodb'),
      {
        name: 'Mint’s hop alone, nothing kept',
        load: postLoad(hop.url, hop.key),
        pids: [...hop.pids, ...contracts.pids],
      },
    ],
    pace,
  )
  return {
    title: 'Durable POST through gateway, gRPC and MongoDB (majority, journaled), view visible',
    rows: requestRows(measured),
    checks: [
      ratioOf(measured, 'Mint, three processes', 'Express + Mongoose', 6),
      ratioOf(measured, 'Mint, three processes', 'Express + Emmett on MongoDB', 5),
      p99Of(measured, 'Mint, three processes', 35),
    ],
    notes: [
      'Mint writes an event, and each process its view; Express + Mongoose writes the document alone. The hop alone bounds what is possible: gateway and gRPC, with nothing decided or written behind them.',
    ],
  }
}
