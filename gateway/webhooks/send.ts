import type { lookup as systemLookup } from 'node:dns'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { createResolver } from '../../shared/runtime/resolver.ts'
import type { DeliveryRule } from './addresses.ts'

/** The result of one attempt. */
export interface Answer {
  /** null: there was none. */
  readonly status: number | null
  /** Why it failed; null: it didn't. */
  readonly reason: string | null
  /** The pause that the receiver requests, in milliseconds. */
  readonly retryAfter?: number | undefined
}

export interface Attempt {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface SenderOptions {
  readonly isAllowed: DeliveryRule
  readonly clock: () => number
  readonly lookup?: typeof systemLookup
  /** How long an attempt may take in all. */
  readonly milliseconds?: number | undefined
}

const MAX_ANSWER_BYTES = 64 * 1024
/** In characters: an error about a certificate quotes all of its names. */
const MAX_REASON_LENGTH = 300
/** How long a connection without requests stays open. */
const IDLE_MILLISECONDS = 10_000

const { Agent: HttpAgent, request: requestHttp } = process.getBuiltinModule('node:http')
const { Agent: HttpsAgent, request: requestHttps } = process.getBuiltinModule('node:https')

export type Sender = ReturnType<typeof createSender>

/** Sends deliveries: to allowed addresses only, without following redirects, in bounded time and memory. */
export function createSender({ isAllowed, clock, lookup, milliseconds = 15_000 }: SenderOptions) {
  const lookupBy = createResolver(lookup)
  /** Every address of a name is checked. Node connects to these, whatever DNS says later. */
  const checkedLookup = (protocol: string) =>
    lookupBy((addresses) => {
      const wrong = addresses.find(({ address }) => !isAllowed(address, protocol))
      if (wrong) throw new Error(notAllowed(wrong.address, protocol))
    })
  const agents = {
    'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_MILLISECONDS, lookup: checkedLookup('http:') }),
    'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_MILLISECONDS, lookup: checkedLookup('https:') }),
  }

  async function exchange({ url, headers, body }: Attempt, signal: AbortSignal): Promise<IncomingMessage> {
    const target = new URL(url)
    const protocol = target.protocol === 'https:' ? 'https:' : 'http:'
    const host = target.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !isAllowed(host, protocol)) throw new Error(notAllowed(host, protocol))
    const request = protocol === 'https:' ? requestHttps : requestHttp
    const options = { method: 'POST', agent: agents[protocol], headers, signal }
    for (;;) {
      const sent: ClientRequest = request(target, options)
      // Awaited below; errors after the headers of the answer don't matter.
      sent.on('error', () => undefined)
      sent.end(body)
      try {
        // With the signal, since Node emits nothing at all if the receiver switches protocols.
        const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage]
        return response
      } catch (error) {
        // The receiver closed the idle connection: only a new one shows whether it is up.
        if (!sent.reusedSocket || (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
      }
    }
  }

  return {
    async send(attempt: Attempt): Promise<Answer> {
      const signal = AbortSignal.timeout(milliseconds)
      try {
        const response = await exchange(attempt, signal)
        await readSome(response)
        const { statusCode: status = 0, headers } = response
        return { status, reason: whyFailed(status), retryAfter: pauseIn(headers['retry-after'], clock()) }
      } catch (error) {
        const late = `There was no answer within ${milliseconds / 1_000} seconds.`
        return { status: null, reason: signal.aborted ? late : messageOf(error as Error).slice(0, MAX_REASON_LENGTH) }
      }
    },
    stop(): void {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** Node's error about several addresses has no message of its own. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map(messageOf).join('; ') : error.message

const notAllowed = (address: string, protocol: string): string =>
  `Nothing is sent to ${address} by ${protocol.slice(0, -1)}: WEBHOOK_ALLOWED_NETWORKS doesn’t name its network.`

function whyFailed(status: number): string | null {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400 ? 'Redirects are not followed.' : `The receiver answered ${status}.`
}

/** Reads an answer, so that its connection can be used again, or cuts it where it becomes too long or late. */
async function readSome(response: IncomingMessage): Promise<void> {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) response.destroy()
  })
  // The status has arrived: errors in the rest don't matter.
  response.on('error', () => undefined)
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve))
}

/** `Retry-After`, in seconds or as a date, in milliseconds from now. */
function pauseIn(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined
  const pause = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now
  return pause > 0 ? pause : undefined
}
