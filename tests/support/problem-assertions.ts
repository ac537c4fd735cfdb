import assert from 'node:assert/strict'
import type { RestAnswer } from './rest.ts'

/** Asserts that an answer is this problem, in the complete form that the API promises, and returns its body. */
export function assertProblem(answer: RestAnswer, status: number, code: string) {
  const { body } = answer
  assert.equal(`${answer.status} ${body?.code}`, `${status} ${code}`, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
  assert.equal(answer.headers.get('x-request-id'), body.requestId)
  const members = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId']
  const more = ['errors', 'errorsOmitted', 'written'].filter((name) => name in body)
  assert.deepEqual(Object.keys(body), [...members, ...more])
  assert.equal('errors' in body, code === 'validation_failed')
  assert.ok(Buffer.byteLength(answer.text) <= 64_000, 'at most 64 KB')
  assert.equal(body.type, 'about:blank')
  assert.equal(body.status, status)
  assert.match(body.title, /^[A-Z]/)
  assert.match(body.detail, /\.$/)
  assert.doesNotMatch(answer.text, /node_modules|\.ts:|at async|mint_[^<]/, 'no stack trace and no key')
  if (code === 'validation_failed') assertViolations(body.errors)
  return body
}

/** Asserts that a file gets validation_failed with exactly these violations, each as `line pointer code`. */
export function assertInvalidRows(answer: RestAnswer, violations: readonly string[]): void {
  const { errors } = assertProblem(answer, 400, 'validation_failed')
  assert.deepEqual(
    errors.map((error: { line?: number; pointer: string; code: string }) =>
      [error.line ?? '-', error.pointer, error.code].join(' '),
    ),
    violations,
  )
}

/** Asserts validation_failed with exactly these violations, each as `place pointer code`. */
export function assertInvalid(answer: RestAnswer, violations: readonly string[]): void {
  const { errors } = assertProblem(answer, 400, 'validation_failed')
  assert.deepEqual(
    errors.map((error: { in: string; pointer: string; code: string }) => `${error.in} ${error.pointer} ${error.code}`),
    violations,
  )
}

function assertViolations(errors: unknown): void {
  assert.ok(Array.isArray(errors) && errors.length > 0, 'at least one violation')
  for (const error of errors) {
    const line = error.line === undefined ? [] : ['line']
    assert.deepEqual(Object.keys(error), ['in', ...line, 'pointer', 'code', 'message'])
    assert.match(error.in, /^(body|query|path|header)$/)
    assert.match(error.code, /^[a-z_]+$/)
    assert.match(error.message, /\.$/)
  }
}
