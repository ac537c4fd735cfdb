/** The head of an HTTP/1.1 request with `Connection: close`. `line`: for example `GET /contracts`. */
export function httpRequest(line: string, key?: string, ...headers: readonly string[]): string {
  const all = ['Host: 127.0.0.1', 'Connection: close', ...(key ? [`Authorization: Bearer ${key}`] : []), ...headers]
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n`
}
