export interface RestAnswer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  readonly body: any
}

export type Rest = ReturnType<typeof restClient>

/** A caller of the REST API, as simple as can be. Rejects when no answer comes. */
export function restClient({ url, key }: { readonly url: string; readonly key: string }) {
  return async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<RestAnswer> {
    const answer = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** A valid new contract. */
export const aNewContract = (changes: object = {}) => ({
  clientId: '11111111-1111-1111-1111-111111111111',
  serviceName: 'Annual accounts',
  serviceType: 'bookkeeping',
  serviceFee: 150,
  taxPercent: 13,
  ...changes,
})
