import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { parseYaml } from '@redocly/openapi-core'
import { assertNone } from '../support/assert-none.ts'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

describe('The Helm chart', () => {
  it('is of the version that package.json has', () => {
    const chart = parseYaml(readFileSync('deploy/helm/mint/Chart.yaml', 'utf8')) as Record<string, string>
    assert.deepEqual([chart.version, chart.appVersion], [version, version])
  })

  it('names only settings that the documentation has', () => {
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
})
