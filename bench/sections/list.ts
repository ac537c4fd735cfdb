import { inTurns } from '../measure/rounds.ts'
import { createContracts, listLoad, startEmbedded } from '../mint.ts'
import { startPeer } from '../peers.ts'
import { ratioOf, requestRows, type SectionResult } from '../result.ts'
import type { Bench } from '../section.ts'

const CONTRACTS = 1_000

/** The newest 50 of a thousand records with the total, embedded. */
export async function measureList({ pace, onEnd }: Bench): Promise<SectionResult> {
  const mint = onEnd(await startEmbedded())
  const express = onEnd(await startPeer('express-memory'))
  await createContracts(mint.url, CONTRACTS, mint.key)
  const measured = await inTurns(
    [
      { name: 'Mint', load: listLoad(mint.url, mint.key), pids: mint.pids },
      { name: 'Express from memory', load: listLoad(express.url), pids: express.pids },
    ],
    pace,
  )
  return {
    title: 'List of 50 with the total, embedded: with key, checks, logs and metrics',
    rows: requestRows(measured),
    checks: [ratioOf(measured, 'Mint', 'Express from memory', 1)],
  }
}
