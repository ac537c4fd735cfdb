import { inTurns } from '../measure/rounds.ts'
import { createContract, getLoad, startEmbedded } from '../mint.ts'
import { startPeer } from '../peers.ts'
import { p99Of, ratioOf, requestRows, type SectionResult } from '../result.ts'
import type { Bench } from '../section.ts'

/** One record read by its id, embedded. */
export async function measureGet({ pace, onEnd }: Bench): Promise<SectionResult> {
  const mint = onEnd(await startEmbedded())
  const alone = onEnd(await startPeer('node-alone'))
  const express = onEnd(await startPeer('express-memory'))
  const measured = await inTurns(
    [
      { name: 'Mint', load: getLoad(mint.url, await createContract(mint.url, mint.key), mint.key), pids: mint.pids },
      { name: 'Express from memory', load: getLoad(express.url, 1), pids: express.pids },
      { name: 'node:http alone, from memory', load: getLoad(alone.url, 1), pids: alone.pids },
    ],
    pace,
  )
  return {
    title: 'GET by id, embedded: with key, checks, ETag, logs and metrics',
    rows: requestRows(measured),
    checks: [ratioOf(measured, 'Mint', 'Express from memory', 1), p99Of(measured, 'Mint', 4)],
    notes: [
      'At the default log level a read that succeeds writes no line.',
      'node:http alone, a few lines without a check, is about what a server on Node can reach here, its p99 as well.',
    ],
  }
}
