import assert from 'node:assert/strict'

/** One answer of the gateway. */
export interface HttpAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
  readonly body: any
}

/** A JSON body as a value, or as its text or bytes when it is a string or a buffer. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string | undefined>>,
) => Promise<HttpAnswer>

/** A caller with a key and JSON as its media type; a header given as undefined is left out. */
export function httpCaller(port: number, key: string): Call {
  return async (method, path, body, headers = {}) => {
    const all = {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    }
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: given,
      redirect: 'manual',
      ...(body !== undefined && { body: toBody(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? undefined : JSON.parse(text) }
  }
}

/** Asserts that an answer is this problem, in the full form that the API promises, and returns its body. */
export function assertProblem(answer: HttpAnswer, status: number, code: string) {
  const { body } = answer
  assert.equal(`${answer.status} ${body?.code}`, `${status} ${code}`, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(answer.headers.get('x-request-id'), body.requestId)
  const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId']
  assert.deepEqual(Object.keys(body), code === 'validation_failed' ? [...members, 'errors'] : members)
  assert.equal(body.type, 'about:blank')
  assert.equal(body.status, status)
  assert.match(body.title, /^[A-Z]/)
  assert.match(body.detail, /\.$/)
  assert.doesNotMatch(answer.text, /node_modules|\.ts:|at async|mint_[^<]/, 'no stack trace and no key')
  if (code === 'validation_failed') assertViolations(body.errors)
  return body
}

/** Asserts validation_failed with exactly these violations, each as `place pointer code`. */
export function assertInvalid(answer: HttpAnswer, violations: readonly string[]): void {
  const { errors } = assertProblem(answer, 400, 'validation_failed')
  assert.deepEqual(
    errors.map((error: { in: string; pointer: string; code: string }) => `${error.in} ${error.pointer} ${error.code}`),
    violations,
  )
}

function assertViolations(errors: unknown): void {
  assert.ok(Array.isArray(errors) && errors.length > 0, 'at least one violation')
  for (const error of errors) {
    assert.deepEqual(Object.keys(error), ['in', 'pointer', 'code', 'message'])
    assert.match(error.in, /^(body|query|path|header)$/)
    assert.match(error.code, /^[a-z_]+$/)
    assert.match(error.message, /\.$/)
  }
}

function toBody(body: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return body
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}
