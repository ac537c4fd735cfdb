import { isIP } from 'node:net'

/**
 * Whether a Host header names an IP address, a name without a dot, or one of these (in lower case). Under any other name
 * a web page could come here through somebody's browser: its owner points the name to this host (DNS rebinding).
 */
export function ownHosts(names: readonly string[]): (host: string) => boolean {
  return (host) => {
    const name = host
      .toLowerCase()
      .replace(/:\d*$/, '')
      .replace(/^\[(.*)\]$/, '$1')
    return !name.includes('.') || isIP(name) !== 0 || names.includes(name)
  }
}
