import { z } from 'zod'
import { ApiProblem, retryAfterOf, Unreachable } from '../../console/api/problem.ts'
import type { Imported, SendPiece } from '../../console/csv/import-file.ts'
import { CLOSING_OVERRIDE } from '../../shared/fields/closing-fields.ts'
import { messagesOf } from '../../shared/runtime/log/outages.ts'
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

/** A running Mint. */
export interface Api {
  /** Throws CommandFailure if no Mint has ever answered. */
  readonly send: SendPiece
  /** Why a request failed, for the reader; undefined: not because of Mint. */
  explain(error: unknown): string | undefined
}

/**
 * The Mint that MINT_URL names, called with MINT_API_KEY. `overrideReason`: why rows are written into a closed period;
 * undefined: they are not. Throws SettingsError and CommandFailure.
 */
export function openApi(environment: Environment, overrideReason: string | undefined): Api {
  const { MINT_URL: url, MINT_API_KEY: key } = readSettings(apiSettings, environment)
  if (key === undefined) {
    throw new CommandFailure('Set MINT_API_KEY to a key with the scope for writing; `cli/mint keys create` makes one.')
  }
  const ownHeaders = {
    Authorization: `Bearer ${key}`,
    ...(overrideReason !== undefined && { [CLOSING_OVERRIDE]: encodeURIComponent(overrideReason) }),
  }
  let hasAnswered = false
  return {
    async send({ path, query: { dryRun }, headers, text }) {
      const target = new URL(dryRun ? `/${path}?dryRun=true` : `/${path}`, url)
      const request = {
        method: 'POST',
        headers: { ...headers, ...ownHeaders },
        body: text,
        redirect: 'manual',
      } as const
      const response = await fetch(target, request).catch((cause) => {
        if (hasAnswered) throw new Unreachable(cause)
        const reason = messagesOf(cause).trimEnd()
        throw new CommandFailure(`No Mint answers at ${url} (${reason}): start it, or set MINT_URL to its address.`)
      })
      hasAnswered = true
      return await importedOf(response)
    },
    explain(error) {
      if (error instanceof Unreachable) return `Mint at ${url} no longer answers.`
      if (!(error instanceof ApiProblem)) return undefined
      const { code, status, message } = error
      if (code === '') return `${url} is not a Mint: it answered ${status}. Set MINT_URL to the address of one.`
      if (code === 'period_closed') return 'The books were closed while the rows were being written.'
      if (status === 401) return `Mint at ${url} knows no such key: set MINT_API_KEY to one that is valid there.`
      if (status !== 429 && status !== 503) return message
      return `Mint at ${url} accepts no requests at the moment: it is too busy, or its database is down. Try again later.`
    },
  }
}

const count = z.int().min(0)
const counts = z.object({ created: count, replayed: count })

async function importedOf(response: Response): Promise<Imported> {
  const body = await bodyOf(response)
  const imported = counts.safeParse(body)
  if (response.ok && imported.success) return imported.data
  throw new ApiProblem(response.status, response.ok ? {} : body, retryAfterOf(response.headers))
}

// biome-ignore lint/suspicious/noExplicitAny: any answer
async function bodyOf(response: Response): Promise<any> {
  try {
    // Messages name the header for overriding a closing, which is an option on the command line.
    return JSON.parse((await response.text()).replaceAll(CLOSING_OVERRIDE, '--override-closing'))
  } catch {
    return {}
  }
}
