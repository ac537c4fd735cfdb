import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { CLOSING_OVERRIDE } from '../../shared/fields/closing-fields.ts'
import { MINT_API_KEY } from '../../shared/runtime/settings/common.ts'
import { readSettings } from '../../shared/runtime/settings/read-settings.ts'
import { CommandFailure } from '../exit.ts'
import type { Environment } from '../target/config.ts'

const apiSettings = {
  MINT_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:8080')
    .meta({ allowed: 'the address of a running Mint, for example https://mint.example' }),
  MINT_API_KEY,
}

/** One thing that is wrong with a request. */
export interface ApiViolation {
  /** In the file that was sent, from 1. */
  readonly line?: number
  readonly pointer: string
  readonly message: string
}

/** What Mint answers to a file. */
export type ApiAnswer =
  | { readonly type: 'imported'; readonly rows: number; readonly created: number; readonly replayed: number }
  | InvalidFile
  | RefusedFile
  /** Another one was sent under its key. */
  | { readonly type: 'other-file' }

/** Rows are wrong. */
export interface InvalidFile {
  readonly type: 'invalid'
  readonly errors: readonly ApiViolation[]
  readonly errorsOmitted: number
  readonly written: Written
}

/** The books were closed while the rows were being written. */
interface RefusedFile {
  readonly type: 'refused'
  readonly reason: string
  readonly written: Written
}

/** How many rows of the file are written; undefined: it isn't known. */
export type Written = number | undefined

interface FileRequest {
  readonly path: string
  readonly file: Buffer
  readonly idempotencyKey: string
  readonly isDryRun: boolean
  /** Why rows are written into closed time; undefined: they are not. */
  readonly overrideReason: string | undefined
}

/** Sends files to a running Mint. */
export type SendFile = (request: FileRequest) => Promise<ApiAnswer>

/** How long to retry while Mint is down, busy or restarting, once it has answered. */
const PATIENCE_MILLISECONDS = 60_000
const LONGEST_PAUSE_SECONDS = 10

/** The Mint that MINT_URL names, called with MINT_API_KEY. Throws SettingsError and CommandFailure. */
export function openApi(environment: Environment): SendFile {
  const { MINT_URL: url, MINT_API_KEY: key } = readSettings(apiSettings, environment)
  if (key === undefined) {
    throw new CommandFailure('Set MINT_API_KEY to a key with the scope for writing; `cli/mint keys create` makes one.')
  }
  let hasAnswered = false
  return async (request) => {
    const giveUpAt = Date.now() + PATIENCE_MILLISECONDS
    for (;;) {
      const answer = await send(url, key, request)
      hasAnswered ||= answer !== undefined
      if (answer !== undefined && !isTemporary(answer)) return await toAnswer(answer)
      if (!hasAnswered) throw new CommandFailure(`No Mint answers at ${url}: start it, or set MINT_URL to its address.`)
      await answer?.body?.cancel()
      if (Date.now() > giveUpAt) throw new CommandFailure(whyNot(answer, url))
      await pause(1_000 * Math.min(Number(answer?.headers.get('retry-after')) || 1, LONGEST_PAUSE_SECONDS))
    }
  }
}

/** undefined: there was no answer. */
async function send(url: string, key: string, request: FileRequest): Promise<Response | undefined> {
  const { path, file, idempotencyKey, isDryRun, overrideReason } = request
  const target = new URL(isDryRun ? `${path}?dryRun=true` : path, url)
  const headers = {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'text/csv',
    'Idempotency-Key': idempotencyKey,
    ...(overrideReason !== undefined && { [CLOSING_OVERRIDE]: encodeURIComponent(overrideReason) }),
  }
  try {
    return await fetch(target, { method: 'POST', headers, body: new Uint8Array(file), redirect: 'manual' })
  } catch {
    return undefined
  }
}

const isTemporary = ({ status }: Response): boolean => status === 429 || status === 503

const count = z.int().min(0)
const counts = z.object({ rows: count, created: count, replayed: count })

async function toAnswer(response: Response): Promise<ApiAnswer> {
  const body = await bodyOf(response)
  const imported = response.ok ? counts.safeParse(body) : undefined
  if (imported?.success) return { type: 'imported', ...imported.data }
  const { code, detail, errors, errorsOmitted = 0 } = body
  if (code === 'validation_failed') return { type: 'invalid', errors, errorsOmitted, written: writtenOf(detail) }
  if (code === 'idempotency_key_reused') return { type: 'other-file' }
  if (code === 'period_closed') {
    const written = writtenOf(detail) ?? (detail.includes('written') ? undefined : 0)
    return { type: 'refused', reason: detail.replace(THEY_STAY, ''), written }
  }
  throw new CommandFailure(
    (response.ok ? undefined : detail) ??
      `This is no Mint: it answered ${response.status}. Set MINT_URL to its address.`,
  )
}

/** How the detail of a refusal ends if rows are written. Its number is in no field of its own. */
const THEY_STAY = / (\d+) rows? w(?:as|ere) written before this one, and stays?\..*$/s

function writtenOf(detail: string): Written {
  const [, count] = THEY_STAY.exec(detail) ?? []
  return count === undefined ? undefined : Number(count)
}

// biome-ignore lint/suspicious/noExplicitAny: whatever was answered
async function bodyOf(response: Response): Promise<any> {
  try {
    // On the command line the reason for writing into closed time isn't in a header.
    return JSON.parse((await response.text()).replaceAll(CLOSING_OVERRIDE, '--override-closing'))
  } catch {
    return {}
  }
}

function whyNot(answer: Response | undefined, url: string): string {
  if (answer === undefined) return `Mint doesn’t answer any more at ${url}.`
  return `Mint at ${url} takes nothing at the moment: it is too busy, or its database is down. Try again later.`
}
