import { startServer } from '../measure/processes.ts'
import { inTurns } from '../measure/rounds.ts'
import { postLoad, startEmbedded } from '../mint.ts'
import { startPeer } from '../peers.ts'
import { p99Of, ratioOf, requestRows, type SectionResult } from '../result.ts'
import type { Bench } from '../section.ts'

/**
 * One insert in some ten thousand of TypeORM's ends with SQLite's `cannot commit transaction - SQL statements in
 * progress`, why is not known; one in a thousand is too little to change the peer's rate.
 */
const NEST_FAILURES = 0.001

/** Contracts created, on disk before each is answered, embedded. */
export async function measurePost({ pace, onEnd }: Bench): Promise<SectionResult> {
  const mint = onEnd(await startEmbedded())
  const nothing = onEnd(await startServer('bench/mint-keeping-nothing.ts'))
  const alone = onEnd(await startPeer('node-alone'))
  const fastify = onEnd(await startPeer('fastify-sqlite'))
  const nest = onEnd(await startPeer('nest-typeorm'))
  const emmett = onEnd(await startPeer('emmett-sqlite'))
  const peer = (name: string, { url, pids }: typeof fastify) => ({ name, load: postLoad(url), pids })
  const measured = await inTurns(
    [
      { name: 'Mint', load: postLoad(mint.url, mint.key), pids: mint.pids },
      { name: 'Mint that keeps nothing', load: postLoad(nothing.url, mint.key), pids: nothing.pids },
      peer('Fastify + node:sqlite', fastify),
      { name: 'NestJS + TypeORM + SQLite', load: { ...postLoad(nest.url), mayFail: NEST_FAILURES }, pids: nest.pids },
      peer('Express + Emmett on SQLite', emmett),
      peer('node:http alone, one fsync a group', alone),
    ],
    pace,
  )
  return {
    title: 'Durable POST, embedded: event and views on disk before the answer',
    rows: requestRows(measured),
    checks: [
      ratioOf(measured, 'Mint', 'Fastify + node:sqlite', 1.6),
      ratioOf(measured, 'Mint', 'NestJS + TypeORM + SQLite', 8),
      ratioOf(measured, 'Mint', 'Mint that keeps nothing', 0.5),
      p99Of(measured, 'Mint', 10),
    ],
    notes: [
      'The peers keep the row alone, without an event, except Emmett, whose appends go one after the other. node:http alone appends JSON to a file and can find nothing: about what a server on Node can reach here, its p99 as well.',
      `Of NestJS’s requests one in ${1 / NEST_FAILURES} may fail, of the others none.`,
    ],
  }
}
