import type { Rest } from '../tests/support/rest.ts'

/** Calls the REST API of Mint or a peer like the tests' client does; answers are read, but not validated. */
export function callerOf({ url, key }: { readonly url: string; readonly key: string }): Rest {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) }
  }
}
