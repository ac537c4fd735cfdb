import { isIP } from 'node:net'

/**
 * Returns whether a Host header names an IP address, a name without a dot, or one of these names (in lower case). Any
 * other name could be that of a web page, whose owner points it to this host to get here through a browser (DNS
 * rebinding).
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
