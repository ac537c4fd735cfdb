/** A host that can be called, as in a URL: `0.0.0.0` and `::` listen everywhere, including on this machine. */
export function inUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
