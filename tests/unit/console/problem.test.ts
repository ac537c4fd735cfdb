import assert from 'node:assert/strict'
import { ApiProblem, isRefused, Unreachable } from '../../../console/api/problem.ts'

describe('A refusal in the console', () => {
  it('means that no earlier attempt was carried out, unless Mint refuses before it searches for one', () => {
    for (const status of [400, 404, 409, 412]) assert.ok(isRefused(new ApiProblem(status, {})), `${status}`)
    // The key may be another one than that of the earlier attempt.
    for (const status of [401, 403]) assert.ok(!isRefused(new ApiProblem(status, {})), `${status}`)
    for (const status of [408, 429, 500, 503]) assert.ok(!isRefused(new ApiProblem(status, {})), `${status}`)
    assert.ok(!isRefused(new Unreachable(undefined)))
  })
})
