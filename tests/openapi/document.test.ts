import assert from 'node:assert/strict'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { PROBLEM_CODES } from '../../gateway/problem.ts'
import { assertNone } from '../support/assert-none.ts'
import { openApi } from '../support/openapi-document.ts'

describe('The OpenAPI document', () => {
  it('lists every error code that an answer can carry', () => {
    const text = JSON.stringify(openApi)
    assertNone(PROBLEM_CODES.filter((code) => !text.includes(`\`${code}\``)))
  })

  it('says in one way who did something, as a person isn’t identified by a key', () => {
    const text = JSON.stringify(openApi)
    assert.match(text, /"actor":\{"type":"string","description":"Who did it: the `principal` of the API key/)
    assertNone([...text.matchAll(/id of the API key that|name of that key/g)].map(([words]) => words))
  })

  it('passes a linter’s strict rules and some optional ones', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        'parameter-description': 'error',
        'no-invalid-schema-examples': 'error',
        'no-invalid-parameter-examples': 'error',
        'no-required-schema-properties-undefined': 'error',
        'component-name-unique': 'error',
      },
    })
    const problems = await lintFromString({ source: JSON.stringify(openApi), config })
    assertNone(problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`))
  })
})
