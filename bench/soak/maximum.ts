import type { LoadGenerator } from '../measure/load.ts'
import { type BenchMint, createContract, getLoad, postLoad } from '../mint.ts'

const SECONDS = 5
const CONNECTIONS = 64

/** How many reads, and how many writes, it answers each second when nothing else is asked; measured after a warm-up. */
export async function findMaximum(mint: BenchMint, send: LoadGenerator): Promise<{ gets: number; posts: number }> {
  const id = await createContract(mint.url, mint.key)
  const rate = async (load: ReturnType<typeof postLoad>): Promise<number> => {
    await send(load, 2, CONNECTIONS)
    return (await send(load, SECONDS, CONNECTIONS)).requestsPerSecond
  }
  return { gets: await rate(getLoad(mint.url, id, mint.key)), posts: await rate(postLoad(mint.url, mint.key)) }
}
