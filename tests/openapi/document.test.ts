import assert from 'node:assert/strict'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { PROBLEM_CODES } from '../../gateway/problem.ts'
import { openApi } from '../support/openapi-document.ts'

describe('The OpenAPI document', () => {
  it('names every code that an answer can carry', () => {
    const text = JSON.stringify(openApi)
    assert.deepEqual(
      PROBLEM_CODES.filter((code) => !text.includes(`\`${code}\``)),
      [],
    )
  })

  it('names every header that a request is understood by', () => {
    const headersOf = ({ parameters }: { parameters: { in: string; name: string }[] }) =>
      parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    for (const path of ['/contracts', '/businesses']) {
      assert.deepEqual(headersOf(openApi.paths[path].post), ['Idempotency-Key'])
      assert.deepEqual(headersOf(openApi.paths[`${path}/{id}`].get), ['If-None-Match'])
      assert.deepEqual(headersOf(openApi.paths[`${path}/{id}`].patch), ['If-Match', 'Idempotency-Key'])
    }
  })

  it('has nothing in it that a linter finds, by its strict rules and some more', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        // Mint is not published, so there is no licence to tell.
        'info-license': 'off',
        'parameter-description': 'error',
        'no-invalid-schema-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-required-schema-properties-undefined': 'error',
        'component-name-unique': 'error',
      },
    })
    const problems = await lintFromString({ source: JSON.stringify(openApi), config })
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
      [],
    )
  })
})
