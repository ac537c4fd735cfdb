import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { aNewContract } from '../support/rest.ts'
import { ANSWER_TIMEOUT, type PoliteAnswer, type PoliteOptions, type PoliteRequest } from './polite-caller.ts'

/** Between two requests, in milliseconds. */
const REQUEST_INTERVAL = 20

const { url, key } = workerData as PoliteOptions
const stopped = new Promise<true>((resolve) => parentPort?.once('message', () => resolve(true)))
let isOver = false
stopped.then(() => {
  isOver = true
})
const { clientId, serviceName, serviceType, serviceFee } = aNewContract()
const ROWS = `clientId,serviceName,serviceType,serviceFee\n${`${clientId},${serviceName},${serviceType},${serviceFee}\n`.repeat(20)}`

await Promise.all([
  repeat(() => ask('record', '/contracts/1')),
  repeat(() => ask('newcomer', '/contracts/1', { headers: { connection: 'close' } })),
  repeat(async () => {
    await ask('report', '/reports/contracts?groupBy=serviceType')
    await ask('export', '/contracts.csv?search=bookkeeping')
    await ask('import', '/contracts.csv?dryRun=true', {
      method: 'POST',
      headers: { 'content-type': 'text/csv' },
      body: ROWS,
    })
  }),
])

async function repeat(once: () => Promise<void>): Promise<void> {
  while (!isOver) {
    await once()
    await Promise.race([pause(REQUEST_INTERVAL), stopped])
  }
}

/** A request in progress when the caller is stopped counts neither as answered nor as failed. */
async function ask(what: PoliteRequest, path: string, more: RequestInit = {}): Promise<void> {
  if (isOver) return
  const begun = performance.now()
  const failure = await Promise.race([failureOf(path, more), stopped])
  if (failure === true) return
  const answer: PoliteAnswer = { what, time: performance.now() - begun, ...(failure !== undefined && { failure }) }
  parentPort?.postMessage(answer)
}

async function failureOf(path: string, more: RequestInit): Promise<string | undefined> {
  try {
    const headers = { authorization: `Bearer ${key}`, ...more.headers }
    const answer = await fetch(url + path, { ...more, headers, signal: AbortSignal.timeout(ANSWER_TIMEOUT) })
    // Rejects if the answer breaks off.
    const text = await answer.text()
    return answer.status === 200 ? undefined : `${answer.status} ${text.slice(0, 300)}`
  } catch (error) {
    const { message, cause } = error as Error
    return `${message}${cause instanceof Error ? ` (${cause.message})` : ''}`
  }
}
