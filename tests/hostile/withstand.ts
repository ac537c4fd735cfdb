import assert from 'node:assert/strict'
import { atEnd } from '../support/cleanup.ts'
import { waitFor } from '../support/wait-for.ts'
import type { AttackedMint, FilledMints } from './attacked-mint.ts'
import type { Attack } from './known-attacks.ts'
import { startPoliteCaller } from './polite-caller.ts'
import { beginTraffic } from './traffic.ts'

/** Of a container's 512 MB. */
export const MAX_MEGABYTES = 400
/** How often a polite caller's report, export and import must be answered during an attack. */
const ROUNDS = 3
/** In milliseconds; generous, as other tests may use the machine too. */
const MAX_MEDIAN = 1_000

/** Registers a test for each attack: a new Mint with the same records must withstand it. Returns what starts these. */
export function withstands(
  fill: () => Promise<FilledMints>,
  attacks: Readonly<Record<string, Attack>>,
): () => FilledMints {
  let mints: FilledMints
  before(async () => {
    mints = await fill()
  })
  after(() => mints?.remove())

  for (const [what, attack] of Object.entries(attacks)) {
    it(what, async () => {
      const mint = await mints.start()
      atEnd(mint.remove)
      await withstand(mint, attack, atEnd)
    })
  }
  return () => mints
}

async function withstand(mint: AttackedMint, attack: Attack, atEnd: (end: () => unknown) => void): Promise<void> {
  const polite = startPoliteCaller(mint)
  atEnd(polite.stop)
  await polite.rounds(1)
  const traffic = await beginTraffic(await attack(mint.target))
  atEnd(traffic.stop)
  await Promise.race([polite.rounds(ROUNDS), mint.death])
  await polite.stop()
  const { times, failures } = polite
  console.log(`      ${inWords(mint.peaks())}; a record in ${Math.round(medianOf(times.record))} ms`)
  assert.deepEqual([...mint.deaths(), ...failures], [])
  for (const [name, peak] of Object.entries(mint.peaks())) assert.ok(peak <= MAX_MEGABYTES, `${name}: ${peak} MB`)
  assert.ok(medianOf(times.record) < MAX_MEDIAN, `others wait: ${medianOf(times.record)} ms for a record`)
  await traffic.stop()
  const isReady = async () => (await mint.call('GET', '/readyz')).status === 200
  const well = waitFor(isReady, { what: 'Mint to be well afterwards' })
  await well.finally(() => assert.deepEqual(mint.deaths(), []))
  assert.equal((await mint.call('GET', '/contracts/1')).status, 200)
}

const inWords = (peaks: Readonly<Record<string, number>>): string =>
  Object.entries(peaks)
    .map(([name, peak]) => `${name} ${Math.round(peak)} MB`)
    .join(', ')

const medianOf = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0
