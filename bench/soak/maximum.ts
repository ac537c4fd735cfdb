import { CONNECTIONS } from '../measure/rounds.ts'
import type { Requests } from './requests.ts'

const WARM_UP_MILLISECONDS = 8_000
const MEASURED_MILLISECONDS = 5_000

/**
 * The requests of the mix answered per second if each connection sends the next one immediately. The sender uses the
 * machine as it does later, so that half of this rate is half of the load.
 */
export async function findMaximum({ send }: Requests, signal: AbortSignal): Promise<number> {
  let answered = 0
  const sendFor = async (milliseconds: number): Promise<void> => {
    const end = performance.now() + milliseconds
    const connection = async (): Promise<void> => {
      while (performance.now() < end) {
        signal.throwIfAborted()
        await send()
        answered++
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  }
  await sendFor(WARM_UP_MILLISECONDS)
  answered = 0
  await sendFor(MEASURED_MILLISECONDS)
  return answered / (MEASURED_MILLISECONDS / 1_000)
}
