/** What a page may load: files of this Mint alone, nothing inline; images may also be in a style sheet, as data URLs. */
const POLICY = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
} as const

/** A Content-Security-Policy directive's value, by its name. */
type Directives = Readonly<Record<string, string>>

/** The headers of a page and its files; `more` replaces directives or adds some. */
export function pageHeaders(more: Directives = {}): Readonly<Record<string, string>> {
  const directives = Object.entries({ ...POLICY, ...more })
  return {
    'Content-Security-Policy': directives.map(([name, value]) => `${name} ${value}`).join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  }
}
