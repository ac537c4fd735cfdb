import { readFileSync } from 'node:fs'
import type { TlsFiles } from '../../shared/runtime/settings/tls.ts'
import { parseTlsFiles } from '../../shared/runtime/tls/certificates.ts'
import { type Finding, ok, wrong } from './finding.ts'

const DAY = 24 * 60 * 60 * 1_000
/** Below this many days, renewal should have happened. */
const ENOUGH = 21

/** Whether a certificate can be used, and for how many days. */
export function checkCertificate({ use, names, paths }: TlsFiles, now: number): Finding {
  const check = `certificate of ${use === 'rest' ? 'REST' : 'gRPC'}`
  try {
    const contents = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, readFileSync(path)]))
    const days = Math.floor((parseTlsFiles({ use, names, paths }, contents).expiresAt - now) / DAY)
    const what = `${names.cert}=${paths[names.cert]}, or what signed it, expires in ${days} days`
    return days >= ENOUGH ? ok(check, what) : wrong(check, { what, remedy: 'renew it: Mint reads it again by itself' })
  } catch (error) {
    const remedy = `replace it, or correct ${Object.keys(paths).join(', ')}`
    return wrong(check, { state: 'problem', what: (error as Error).message, remedy })
  }
}
