import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { Ajv } from 'ajv'
import { embeddedSettings } from '../../cli/start/config.ts'
import { productionSettings } from '../../shared/runtime/settings/production.ts'
import { assertNone } from '../support/assert-none.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

interface Values {
  readonly [name: string]: unknown
}

const valuesIn = (file: string) => parseYaml(readFileSync(file, 'utf8')) as Values
const defaults = valuesIn('deploy/helm/mint/values.yaml')

const isObject = (value: unknown): value is Values => value?.constructor === Object

/** Merges values like Helm. */
function merged(into: Values, values: Values): Values {
  const both = Object.entries(values).map(([name, value]) => {
    const before = into[name]
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value] as const
  })
  return { ...into, ...Object.fromEntries(both) }
}

/** The path of each value and each object in others, the whole included. */
function entriesOf(value: unknown, path: readonly string[] = []): readonly (readonly [readonly string[], unknown])[] {
  const inside = isObject(value) ? Object.entries(value) : []
  return [[path, value], ...inside.flatMap(([name, one]) => entriesOf(one, [...path, name]))]
}

function changed(values: Values, [name = '', ...path]: readonly string[], to: unknown): Values {
  return { ...values, [name]: path.length === 0 ? to : changed(values[name] as Values, path, to) }
}

/** Objects whose names Kubernetes or the operator chooses. */
const FREE = /(^|\.)(labels|annotations|resources|podAnnotations|nodeSelector|affinity|podSpec)(\.|$)/

const { $schema: _, ...schema } = JSON.parse(readFileSync('deploy/helm/mint/values.schema.json', 'utf8'))
const ajv = new Ajv({ strict: false })
const isValid = ajv.compile<Values>(schema)

describe('The Helm chart', () => {
  it('has the version of package.json', () => {
    const chart = parseYaml(readFileSync('deploy/helm/mint/Chart.yaml', 'utf8')) as Record<string, string>
    assert.deepEqual([chart.version, chart.appVersion], [version, version])
  })

  it('names only documented settings', () => {
    const documented = ['README.md', 'docs/configuration.md'].map((page) => readFileSync(page, 'utf8')).join()
    const names = globSync('deploy/helm/{mint/values.yaml,mint/templates/*,values/*}').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ *"?([A-Z]+_[A-Z_]+)"?:|"([A-Z]+_[A-Z_]+)"/gm)].map(
        ([, inYaml, inTemplate]) =>
          (inYaml ?? inTemplate ?? '').replace(/(?<=URL|SECRET|(?:API|WEBHOOK)_KEY|PASSWORD)_FILE$/, ''),
      ),
    )
    assert.ok(names.length > 20, `${names.length} names`)
    assertNone([...new Set(names)].filter((name) => !documented.includes(`\`${name}\``)))
  })

  it('takes every secret setting from the Secret alone, by a value of its own', () => {
    const helpers = readFileSync('deploy/helm/mint/templates/_helpers.tpl', 'utf8')
    const [, table = ''] = /define "mint\.secrets" -\}\}\n([\s\S]*?)\{\{- end/.exec(helpers) ?? []
    const secrets = parseYaml(table) as readonly { readonly setting: string; readonly name: string }[]
    const settings = Object.entries({ ...embeddedSettings, ...productionSettings })
    const secret = settings.filter(([, schema]) => schema.meta()?.secret)
    assert.deepEqual(secrets.map(({ setting }) => setting).sort(), secret.map(([name]) => name).sort())
    const { name: _name, ...values } = defaults.secrets as Values
    assert.deepEqual(secrets.map(({ name }) => name).sort(), Object.keys(values).sort())
  })

  // Helm silently renders a missing value as empty.
  it('has a default for every value that its templates use', () => {
    const parts = ['gateway', 'contracts', 'businesses'].map((part) => defaults[part])
    const has = (path: string) => (root: unknown) =>
      path.split('.').reduce((value, name) => (isObject(value) ? value[name] : undefined), root) !== undefined
    const used = globSync('deploy/helm/mint/templates/*').flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:\.Values|\$values)\.([\w.]+)/g)].map(([, path = '']) => path),
    )
    assert.ok(used.length > 40, `${used.length} values`)
    assertNone(used.filter((path) => !has(path)(defaults) && !parts.every(has(path))))
  })

  it('has a schema that accepts its defaults merged with each set of values', () => {
    const sets = globSync('deploy/helm/values/*.yaml')
    assert.ok(sets.length > 4, `${sets.length} sets`)
    for (const set of sets) {
      assert.ok(isValid(merged(defaults, valuesIn(set))), `${set}: ${ajv.errorsText(isValid.errors)}`)
    }
  })

  it('has a schema that refuses a misspelt name at every level, and texts for true and false', () => {
    const values = merged(defaults, valuesIn('deploy/helm/values/minimal.yaml'))
    const wrong = entriesOf(values).flatMap(([path, value]) => {
      if (typeof value === 'boolean') return [changed(values, path, `${value}`)]
      return isObject(value) && !FREE.test(path.join('.')) ? [changed(values, [...path, 'misspelt'], 'x')] : []
    })
    assert.ok(wrong.length > 25, `${wrong.length} changes`)
    assertNone(wrong.filter((one) => isValid(one)).map((one) => JSON.stringify(one)))
  })

  it('has a schema that refuses fields of pods in podSpec that its template sets', () => {
    const values = merged(defaults, valuesIn('deploy/helm/values/minimal.yaml'))
    const template = readFileSync('deploy/helm/mint/templates/deployments.yaml', 'utf8')
    const [, podSpec = ''] = /^ {4}spec:\n([\s\S]*)/m.exec(template) ?? []
    const fields = [...podSpec.matchAll(/^ {6}(\w+):/gm)].map(([, field = '']) => field)
    assert.ok(fields.length > 8, `${fields.length} fields`)
    assertNone(fields.filter((field) => isValid(changed(values, ['podSpec', field], 'x'))))
    assert.ok(isValid(changed(values, ['podSpec', 'priorityClassName'], 'high')))
  })

  it('closes every block of its templates', () => {
    const count = (text: string, words: RegExp) => text.match(words)?.length ?? 0
    const unbalanced = globSync('deploy/helm/mint/templates/*').filter((file) => {
      const text = readFileSync(file, 'utf8')
      return count(text, /\{\{-? *(?:if|with|range|define)\b/g) !== count(text, /\{\{-? *end\b/g)
    })
    assertNone(unbalanced)
  })
})
