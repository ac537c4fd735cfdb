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

  it('has nothing from which common generators make clients that don’t compile, lose digits or refuse added fields', () => {
    const names = Object.keys(openApi.components.schemas)
    assertNone(names.filter((name) => names.includes(name.replace(/^New|Test$/, '')) && /^New|Test$/.test(name)))
    assertNone(
      schemasIn(openApi)
        .filter((schema) => isHardToGenerate(schema))
        .map((schema) => JSON.stringify(schema)),
    )
    assert.equal(openApi.components.schemas.Contract.additionalProperties, undefined)
    assert.equal(openApi.components.schemas.ContractCreation.additionalProperties, false)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: JSON
type Schema = any

/** Every object in the document with a `type`, which schemas have, or alternatives. */
function schemasIn(value: Schema): Schema[] {
  if (typeof value !== 'object' || value === null) return []
  const { example, examples, ...inner } = value
  const own = value.type !== undefined || value.anyOf !== undefined ? [value] : []
  return [...own, ...Object.values(inner).flatMap(schemasIn)]
}

function isHardToGenerate({ type, format, pattern, maximum, items, uniqueItems, anyOf = [] }: Schema): boolean {
  const alternatives = anyOf.filter(({ type }: Schema) => type !== 'null')
  return (
    (pattern !== undefined && ['uuid', 'date', 'date-time'].includes(format)) ||
    (type === 'number' && format !== 'double') ||
    (type === 'integer' && maximum > 2 ** 31 - 1 && format !== 'int64') ||
    (uniqueItems === true && items.$ref === undefined) ||
    alternatives.some((one: Schema) => one.const !== undefined) ||
    (alternatives.length > 1 && alternatives.every((one: Schema) => one.type === 'string'))
  )
}
