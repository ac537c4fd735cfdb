import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from '../../tests/support/temporary-folder.ts'
import { createContract, createContracts, getLoad, listLoad, postLoad, startEmbedded } from '../mint.ts'
import { peerIn } from '../peers.ts'
import { p99Of, ratioOf, type SectionResult } from '../result.ts'
import { type Bench, compared, LeftOut, LISTED } from '../section.ts'

/** One record read by its id. */
export async function measureGet(bench: Bench): Promise<SectionResult> {
  const { url, key, pids } = bench.onEnd(await startEmbedded())
  const contestants = [
    { name: 'Mint', load: getLoad(url, await createContract(url, key), key), pids },
    await peerIn(bench, 'Express from memory', 'express-memory', (url) => getLoad(url, 1)),
    await peerIn(bench, 'node:http alone, from memory', 'node-alone', (url) => getLoad(url, 1)),
  ]
  return await compared(bench, contestants, {
    title: 'GET by id, embedded: with key, checks, ETag, logs and metrics',
    checks: (measured) => [ratioOf(measured, 'Mint', 'Express from memory', 1), p99Of(measured, 'Mint', 4)],
    notes: [
      'At the default log level a successful read writes no log line.',
      'node:http alone, a few lines without any check, is roughly the limit for a server on Node here, in p99 as well.',
    ],
  })
}

/** The newest 50 of a thousand records with the total. */
export async function measureList(bench: Bench): Promise<SectionResult> {
  const { url, key, pids } = bench.onEnd(await startEmbedded())
  await createContracts(url, LISTED, key)
  const contestants = [
    { name: 'Mint', load: listLoad(url, key), pids },
    await peerIn(bench, 'Express from memory', 'express-memory', listLoad),
  ]
  return await compared(bench, contestants, {
    title: 'List of 50 with the total, embedded: with key, checks, logs and metrics',
    checks: (measured) => [ratioOf(measured, 'Mint', 'Express from memory', 1)],
  })
}

/**
 * About one of TypeORM's inserts in ten thousand fails with SQLite's `cannot commit transaction - SQL statements in
 * progress`, for an unknown reason; one in a thousand is too little to change the peer's rate.
 */
const NEST_FAILURES = 0.001

/** Creates contracts, each on disk before its answer. */
export async function measurePost(bench: Bench): Promise<SectionResult> {
  const { url, key, pids } = bench.onEnd(await startEmbedded())
  const toNest = (url: string) => ({ ...postLoad(url), mayFail: NEST_FAILURES })
  const contestants = [
    { name: 'Mint', load: postLoad(url, key), pids },
    await peerIn(bench, 'Fastify + node:sqlite', 'fastify-sqlite', postLoad),
    await peerIn(bench, 'NestJS + TypeORM + SQLite', 'nest-typeorm', toNest),
    await peerIn(bench, 'Express + Emmett on SQLite', 'emmett-sqlite', postLoad),
    await peerIn(bench, 'node:http alone, one fsync a group', 'node-alone', postLoad),
  ]
  return await compared(bench, contestants, {
    title: 'Durable POST, embedded: event and views on disk before the answer',
    checks: (measured) => [
      ratioOf(measured, 'Mint', 'Fastify + node:sqlite', 1.6),
      ratioOf(measured, 'Mint', 'NestJS + TypeORM + SQLite', 8),
      p99Of(measured, 'Mint', 10),
    ],
    notes: [
      'The peers store only the row, without an event, except Emmett, whose appends run one after the other. node:http alone appends JSON to a file that it never reads: roughly the limit for a server on Node here, in p99 as well.',
      `One in ${1 / NEST_FAILURES} of NestJS’s requests may fail, none of the others.`,
    ],
  })
}

/** The same on a disk with an fsync that takes 5 ms longer. */
export async function measureSlowFsync(bench: Bench): Promise<SectionResult> {
  const folder = temporaryFolder()
  bench.onEnd({ stop: async () => folder.remove() })
  const environment = { LD_PRELOAD: compileShim(folder.path) }
  const { url, key, pids } = bench.onEnd(await startEmbedded({ environment }))
  const oneEach = 'one fsync a request (Fastify + node:sqlite)'
  const contestants = [
    { name: 'Mint', load: postLoad(url, key), pids },
    await peerIn(bench, oneEach, 'fastify-sqlite', postLoad, environment),
  ]
  return await compared(bench, contestants, {
    title: 'Durable POST, embedded, with each fsync 5 ms slower',
    checks: (measured) => [ratioOf(measured, 'Mint', oneEach, 8)],
  })
}

function compileShim(folder: string): string {
  if (process.platform !== 'linux') throw new LeftOut('fsync is slowed by LD_PRELOAD, which is Linux’s')
  const library = join(folder, 'slow-fsync.so')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, 'bench/slow-fsync.c', '-ldl'], { stdio: 'pipe' })
  } catch (error) {
    throw new LeftOut(`fsync is slowed by a small C library, which could not be compiled: ${(error as Error).message}`)
  }
  return library
}
