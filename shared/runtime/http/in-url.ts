/** A URL's host for an address that is listened on: `0.0.0.0` and `::` include this machine's loopback address. */
export function inUrl(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
