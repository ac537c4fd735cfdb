import { dropDatabase, newDatabaseName } from '../../tests/support/mongo-database.ts'
import type { Load } from '../measure/load.ts'
import { startServer } from '../measure/processes.ts'
import { createContract, createContracts, getLoad, listLoad, postLoad, startSeparate } from '../mint.ts'
import { type PeerName, peerIn } from '../peers.ts'
import { p99Of, ratioOf, type SectionResult } from '../result.ts'
import { type Bench, compared, enginesOf, LISTED } from '../section.ts'

const MINT = 'Mint, three processes'
const MONGOOSE = 'Express + Mongoose'

/** One record read by its id, through gateway, gRPC and MongoDB as separate processes. */
export async function measureProductionGet(bench: Bench): Promise<SectionResult> {
  const { url, key, pids } = bench.onEnd(await startSeparate(enginesOf(bench)))
  const hop = 'Mint’s hop alone, the record at hand'
  const contestants = [
    { name: MINT, load: getLoad(url, await createContract(url, key), key), pids },
    await onMongo(bench, MONGOOSE, 'express-mongoose', async (url) => getLoad(url, await createContract(url))),
    await hopAlone(bench, hop, (url, key) => getLoad(url, 1, key)),
    await peerIn(bench, 'Express from memory', 'express-memory', (url) => getLoad(url, 1)),
  ]
  return await compared(bench, contestants, {
    title: 'GET by id through gateway, gRPC and MongoDB, separate processes',
    checks: (measured) => [
      ratioOf(measured, MINT, MONGOOSE, 4),
      ratioOf(measured, hop, 'Express from memory', 0.45),
      p99Of(measured, MINT, 15),
    ],
  })
}

/** Contracts created through gateway, gRPC and MongoDB (majority, journaled), visible in the view. */
export async function measureProductionPost(bench: Bench): Promise<SectionResult> {
  const { url, key, pids } = bench.onEnd(await startSeparate(enginesOf(bench)))
  const contestants = [
    { name: MINT, load: postLoad(url, key), pids },
    await onMongo(bench, MONGOOSE, 'express-mongoose', postLoad),
    await onMongo(bench, 'Express + Emmett on MongoDB', 'emmett-mongodb', postLoad),
    await hopAlone(bench, 'Mint’s hop alone, nothing kept', postLoad),
  ]
  return await compared(bench, contestants, {
    title: 'Durable POST through gateway, gRPC and MongoDB (majority, journaled), view visible',
    checks: (measured) => [
      ratioOf(measured, MINT, MONGOOSE, 6),
      ratioOf(measured, MINT, 'Express + Emmett on MongoDB', 5),
      p99Of(measured, MINT, 35),
    ],
    notes: [
      'Mint writes an event, and each process its view; Express + Mongoose writes only the document. The hop alone is the limit: gateway and gRPC, with nothing decided or written behind them.',
    ],
  })
}

/** The newest 50 of a thousand records with the total, through gateway, gRPC and MongoDB as separate processes. */
export async function measureProductionList(bench: Bench): Promise<SectionResult> {
  const { url, key, pids } = bench.onEnd(await startSeparate(enginesOf(bench)))
  await createContracts(url, LISTED, key)
  const toMongoose = async (url: string) => {
    await createContracts(url, LISTED)
    return listLoad(url)
  }
  const contestants = [
    { name: MINT, load: listLoad(url, key), pids },
    await onMongo(bench, MONGOOSE, 'express-mongoose', toMongoose),
  ]
  return await compared(bench, contestants, {
    title: 'List of 50 with the total through gateway, gRPC and MongoDB, separate processes',
    checks: (measured) => [ratioOf(measured, MINT, MONGOOSE, 4)],
    notes: [
      'Express + Mongoose does the same: numeric ids from a counter, validation, and countDocuments for the total.',
    ],
  })
}

/** Contracts created through one gateway, with one and with three contracts processes behind it. */
export async function measureReplicas(bench: Bench): Promise<SectionResult> {
  const [ONE, THREE] = ['one contracts process', 'three contracts processes']
  const one = bench.onEnd(await startSeparate(enginesOf(bench)))
  const three = bench.onEnd(await startSeparate(enginesOf(bench), { contracts: 3 }))
  const contestants = [
    { name: ONE, load: postLoad(one.url, one.key), pids: one.pids },
    { name: THREE, load: postLoad(three.url, three.key), pids: three.pids },
  ]
  return await compared(bench, contestants, {
    title: 'Durable POST with replicas of the contracts service, on one machine',
    checks: (measured) => [ratioOf(measured, THREE, ONE, 0.95)],
    notes: [
      'One of the three appends. The other two build their views meanwhile, with processor time that the load then lacks: this machine has two cores for everything.',
    ],
  })
}

/** A peer on a new database. */
async function onMongo(bench: Bench, name: string, file: PeerName, loadOf: (url: string) => Load | Promise<Load>) {
  const { mongoUrl } = enginesOf(bench)
  const database = newDatabaseName()
  bench.onEnd({ stop: () => dropDatabase(mongoUrl, database) })
  return await peerIn(bench, name, file, loadOf, { DATABASE: database })
}

/** Mint's gateway in front of a service that decides and stores nothing. */
async function hopAlone(bench: Bench, name: string, loadOf: (url: string, key: string) => Load) {
  const contracts = bench.onEnd(await startServer('bench/hop-contracts.ts'))
  const hop = bench.onEnd(await startSeparate(enginesOf(bench), { contractsAddress: contracts.url }))
  return { name, load: loadOf(hop.url, hop.key), pids: [...hop.pids, ...contracts.pids] }
}
